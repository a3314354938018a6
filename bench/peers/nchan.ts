import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { libraryEnvironment, unpackDebianPackage, unpackedFolder } from '../../src/dev/debian-package.mjs'
import { freePort } from '../../src/dev/ports.js'
import { stampedEvent } from '../load/stamps.js'
import { cacheFolder, formatPost, type Peer, Unavailable } from './peer.js'
import { startProgram } from './programs.js'

const cache = cacheFolder('nchan')
const nginx = join(unpackedFolder(cache), 'usr/sbin/nginx')
const module = join(unpackedFolder(cache), 'usr/lib/nginx/modules/ngx_nchan_module.so')

export const nchan: Peer = {
  name: 'nchan',
  title: 'nchan, a module of nginx, with its store in memory',
  guarantees: {
    durable: 'no: in memory',
    ordered: 'yes',
    authenticated: 'no',
    permitted: 'no',
    resumable: 'the last 1,000 messages',
  },
  transports: ['sockets', 'polls'],
  isDownloaded: true,
  async install(tell) {
    if (existsSync(module) && existsSync(nginx)) return
    const search = { path: process.env.PATH ?? '', cache }
    const unpacked = unpackDebianPackage(search, 'libnginx-mod-nchan nginx', () =>
      tell('  Unpacking nginx and nchan from the archive of Debian (nothing is installed)'),
    )
    if (unpacked === undefined || !existsSync(module) || !existsSync(nginx)) {
      throw new Unavailable('the archive of this system has no libnginx-mod-nchan, or it has no apt')
    }
    useRelativeFolder()
  },
  async start(environment) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-nchan-'))
    environment.group.removeFolderAtEnd(folder)
    const port = await freePort()
    writeFileSync(join(folder, 'nginx.conf'), composeConfiguration(port))
    const env = libraryEnvironment(unpackedFolder(cache))
    const server = await startProgram(environment, {
      name: 'nchan',
      command: nginx,
      args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
      folder,
      env,
      port,
    })
    return {
      version: readVersion(),
      port,
      ...server,
      senderPlan: { kind: 'http', requests: [formatPost('/publish', stampedEvent)] },
      async planReceivers(_, count, transport) {
        if (transport === 'sockets') {
          return { kind: 'sockets', host: 'bench', handshakes: new Array(count).fill({ path: '/room', headers: [] }) }
        }
        // The position is the header lines of the last response. The first poll waits for the next message.
        const request = 'GET /room HTTP/1.1\r\nHost: bench\r\nPOSITION\r\n'
        return { kind: 'polls', protocol: 'nchan', clients: new Array(count).fill({ request, position: '' }) }
      },
    }
  },
}

/**
 * Debian compiled the folder of message files into the module, and no directive changes it. A folder of the same length
 * in the working directory replaces it in the unpacked copy, because the system's folder may not exist.
 */
const useRelativeFolder = () => {
  const text = readFileSync(module, 'latin1')
  writeFileSync(module, text.replace('/var/lib/nginx/body\0', 'nchan-message-files\0'), 'latin1')
}

const composeConfiguration = (port: number): string => `
load_module ${module};
daemon off;
pid nginx.pid;
error_log stderr error;
worker_processes 1;
worker_rlimit_nofile 20000;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 10000; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    location = /publish {
      nchan_publisher;
      nchan_channel_id room;
      nchan_message_buffer_length 1000;
      nchan_message_timeout 5m;
    }
    location = /room {
      nchan_subscriber websocket longpoll;
      nchan_channel_id room;
      nchan_subscriber_first_message newest;
    }
  }
}
`

/** The version in the package's list of changes. */
const readVersion = (): string => {
  const file = join(unpackedFolder(cache), 'usr/share/doc/libnginx-mod-nchan/changelog.Debian.gz')
  return existsSync(file) ? (/\((.*?)\)/.exec(gunzipSync(readFileSync(file)).toString('latin1'))?.[1] ?? '') : ''
}
