/** A broker of Kafka, which Maven brings and the Java of the machine runs. It needs neither ZooKeeper nor a cluster. */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Admin } from '@platformatic/kafka'
import { expect, vi } from 'vitest'
import { freePort } from '../../../src/dev/ports.js'
import { root } from '../../../src/dev/root.js'
import { makeBrokerFolder, startBrokerProcess, type TestBroker } from './broker-process.js'
import { makeCertificates } from './certificates.js'

const run = promisify(execFile)
const pom = join(import.meta.dirname, 'kafka/pom.xml')
const [, VERSION = ''] = /<version>([\d.]+\.\d+)<\/version>/.exec(readFileSync(pom, 'utf8')) ?? []
const library = join(root, 'node_modules/.cache/parley-kafka', VERSION)

/** Downloads the broker (43 MB) once per clone. @returns why it cannot run here; undefined when it can */
export const findKafkaObstacle = async (): Promise<string | undefined> => {
  try {
    await run('java', ['-version'])
    if (existsSync(library)) return undefined
    const half = `${library}.${process.pid}`
    const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${half}`, '-DincludeScope=runtime']
    await run('mvn', ['--batch-mode', '--quiet', '--file', pom, ...copy], { timeout: 300_000 })
    renameSync(half, library)
    return undefined
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1)
  }
}

/** Less memory and time than what a server that runs for months is given. */
const JAVA = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${library}/*`]

const PATIENCE = { timeout: 60_000, interval: 200 }

const LOGIN = { user: 'parley', password: 'p@ss/word' }

export interface TestKafka extends TestBroker {
  /** The URL of its encrypted port, which asks for a login. */
  secureUrl: string
  /** Clients of the test connect here. */
  address: string
  /** Creates a topic with three partitions, and waits until its partitions have leaders. */
  createTopic(name: string): Promise<void>
}

/** Starts a broker, and waits until it answers. */
export const startKafka = async (): Promise<TestKafka> => {
  const folder = makeBrokerFolder('kafka')
  const [plain, secure, controller] = [await freePort(), await freePort(), await freePort()]
  const { ca, cert, key } = makeCertificates()
  const pem = join(folder, 'key-and-certificate.pem')
  for (const file of [key, cert]) appendFileSync(pem, readFileSync(file))
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAIN://127.0.0.1:${plain},SECURE://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
    'listener.security.protocol.map': 'PLAIN:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAIN',
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.secure.scram-sha-512.sasl.jaas.config': scram,
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': pem,
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'group.initial.rebalance.delay.ms': 0,
    // After a kill, the broker waits until its former session has ended.
    'broker.heartbeat.interval.ms': 300,
    'broker.session.timeout.ms': 1_500,
  }
  const file = join(folder, 'server.properties')
  writeFileSync(
    file,
    Object.entries(settings)
      .map((pair) => pair.join('='))
      .join('\n'),
  )
  const user = `SCRAM-SHA-512=[name=${LOGIN.user},password=${LOGIN.password}]`
  const format = ['format', '--cluster-id', 'MkU3OEVBNTcwNTJENDM2Qk', '--config', file, '--add-scram', user]
  await run('java', [...JAVA, 'kafka.tools.StorageTool', ...format])
  const running = await startBrokerProcess({
    name: 'kafka',
    command: 'java',
    args: [...JAVA, 'kafka.Kafka', file],
    folder,
    isReady: () => true,
  })
  const address = `127.0.0.1:${plain}`
  const createTopic = (name: string) =>
    withAdmin(address, async (admin) => {
      await admin.createTopics({ topics: [name], partitions: 3, replicas: 1 })
      await vi.waitFor(async () => {
        const { topics } = await admin.metadata({ topics: [name], forceUpdate: true })
        expect(topics.get(name)?.partitions.every(({ leader }) => leader === 1)).toBe(true)
      }, PATIENCE)
    })
  await vi.waitFor(() => withAdmin(address, (admin) => admin.listTopics()), PATIENCE)
  const login = `${LOGIN.user}:${encodeURIComponent(LOGIN.password)}`
  return {
    ...running,
    address,
    url: `kafka://${address}`,
    secureUrl: `kafka+tls://${login}@127.0.0.1:${secure}?tls_ca=${ca}`,
    createTopic,
  }
}

const withAdmin = async <T>(address: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = new Admin({ clientId: 'test', bootstrapBrokers: [address], retries: 0 })
  try {
    return await work(admin)
  } finally {
    await admin.close()
  }
}
