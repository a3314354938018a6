/**
 * apt-get on a scratch machine: puts the programs that the test has at the paths of Debian's packages, with the files
 * of these packages that the install page changes, and starts their services, as the packages do. It knows only the
 * packages of the page.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const programs = JSON.parse(readFileSync('/substitutes/programs.json', 'utf8'))

const run = (command, ...args) => {
  const done = spawnSync(command, args, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.error ?? done.stderr}`)
}
const hasAccount = (name) => spawnSync('id', [name]).status === 0
const addAccount = (name, home) => {
  if (!hasAccount(name)) run('useradd', '--system', '--user-group', '--home-dir', home, name)
}

/** A program elsewhere, at its place in a package. */
const install = (path, command, variables = {}) => {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}="${value}"\n`)
  // It can be a link of a package of this machine.
  rmSync(path, { force: true })
  writeFileSync(path, `#!/bin/sh\n${exports.join('')}exec ${command} "$@"\n`)
  chmodSync(path, 0o755)
}

const installPostgres = () => {
  const { bin, major } = programs.postgres
  addAccount('postgres', '/var/lib/postgresql')
  const [etc, data] = [`/etc/postgresql/${major}/main`, `/var/lib/postgresql/${major}/main`]
  mkdirSync(`${etc}/conf.d`, { recursive: true })
  mkdirSync(data, { recursive: true })
  mkdirSync('/run/postgresql')
  for (const name of ['psql', 'pg_dump', 'pg_restore', 'pg_basebackup']) {
    // The client of Debian looks for the socket here, if nothing names another host.
    install(`/usr/bin/${name}`, `${bin}/${name}`, { PGHOST: '/run/postgresql' })
  }
  run(
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=snakeoil',
    '-keyout',
    `${etc}/key.pem`,
    '-out',
    `${etc}/cert.pem`,
  )
  chmodSync(`${etc}/key.pem`, 0o600)
  run('chown', '-R', 'postgres:postgres', '/etc/postgresql', '/var/lib/postgresql', '/run/postgresql')
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
  const auth = ['--auth-local=peer', '--auth-host=scram-sha-256']
  run('runuser', '-u', 'postgres', '--', `${bin}/initdb`, '-D', data, ...locale, ...auth, '--no-sync')
  for (const name of ['pg_hba.conf', 'pg_ident.conf']) renameSync(`${data}/${name}`, `${etc}/${name}`)
  const settings = {
    data_directory: data,
    hba_file: `${etc}/pg_hba.conf`,
    ident_file: `${etc}/pg_ident.conf`,
    unix_socket_directories: '/run/postgresql',
    cluster_name: `${major}/main`,
    ssl: 'on',
    ssl_cert_file: `${etc}/cert.pem`,
    ssl_key_file: `${etc}/key.pem`,
    // The folder is deleted after the test.
    fsync: 'off',
    include_dir: 'conf.d',
  }
  writeFileSync(
    `${etc}/postgresql.conf`,
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
}

const installRedis = () => {
  addAccount('redis', '/var/lib/redis')
  for (const folder of ['/etc/redis', '/var/lib/redis']) mkdirSync(folder, { recursive: true })
  writeFileSync('/etc/redis/redis.conf', 'bind 127.0.0.1 -::1\nport 6379\ndir /var/lib/redis\nsave 3600 1\n')
  run('chown', '-R', 'redis:redis', '/etc/redis', '/var/lib/redis')
  install('/usr/bin/redis-server', programs.redis.command, programs.redis.env)
}

const installNginx = () => {
  addAccount('www-data', '/var/www')
  for (const folder of ['/var/log/nginx', '/var/lib/nginx']) mkdirSync(folder, { recursive: true })
  mkdirSync('/etc/nginx/conf.d', { recursive: true })
  mkdirSync('/etc/nginx/sites-enabled')
  writeFileSync(
    '/etc/nginx/nginx.conf',
    `user www-data; worker_processes 1; pid /run/nginx.pid; error_log /var/log/nginx/error.log;
events { worker_connections 768; }
http {
  access_log /var/log/nginx/access.log;
  include /etc/nginx/conf.d/*.conf;
  include /etc/nginx/sites-enabled/*;
}
`,
  )
  writeFileSync(
    '/etc/nginx/sites-enabled/default',
    'server { listen 80 default_server; return 200 "Welcome to nginx!"; }\n',
  )
  install('/usr/sbin/nginx', programs.nginx.command, programs.nginx.env)
}

const installHaproxy = () => {
  addAccount('haproxy', '/var/lib/haproxy')
  for (const folder of ['/etc/haproxy', '/run/haproxy']) mkdirSync(folder)
  install('/usr/sbin/haproxy', programs.haproxy.command, programs.haproxy.env)
}

/** Packages without services are on this machine. */
const present = () => {}
const packages = {
  curl: present,
  openssl: present,
  'xz-utils': present,
  certbot: present,
  'python3-certbot-nginx': present,
  postgresql: installPostgres,
  'redis-server': installRedis,
  nginx: installNginx,
  haproxy: installHaproxy,
}

const [command, ...names] = process.argv.slice(2).filter((argument) => argument !== '--yes')
if (command !== 'update' && command !== 'install') throw new Error(`apt-get ${command}`)
for (const name of names) {
  if (packages[name] === undefined) throw new Error(`E: Unable to locate package ${name}`)
  packages[name]()
  // The package of HAProxy has a configuration without frontends, with which it does not start.
  if (['postgresql', 'redis-server', 'nginx'].includes(name)) run('systemctl', 'enable', '--now', name)
}
