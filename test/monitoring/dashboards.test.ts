/** The files for Prometheus and Grafana in deploy/monitoring: their form, and whether their metrics exist. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { findProgram } from '../../src/dev/debian-package.mjs'
import { root } from '../../src/dev/root.js'
import { sampledMetrics } from '../../src/monitoring/console/samples.js'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { startWorker } from '../setup/processes/processes.js'
import { ok } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const folder = join(root, 'deploy/monitoring')
const readFile = (name: string) => readFileSync(join(folder, name), 'utf8')

const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string() }),
})
const Rules = z.strictObject({ groups: z.tuple([z.strictObject({ name: z.string(), rules: z.array(Rule) })]) })
const { rules } = Rules.parse(parse(readFile('alerts.yaml'))).groups[0]

const GridPosition = z.strictObject({
  x: z.number().min(0),
  y: z.number().min(0),
  w: z.number().min(1).max(24),
  h: z.number().min(1),
})
const Target = z.looseObject({
  refId: z.string().regex(/^[A-Z]$/),
  expr: z.string(),
  legendFormat: z.string(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`\${datasource}`) }),
})
const PanelPart = z.looseObject({ id: z.number().int(), title: z.string(), gridPos: GridPosition })
const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number().min(36),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.discriminatedUnion('type', [
      PanelPart.extend({ type: z.literal('row'), panels: z.array(z.never()) }),
      PanelPart.extend({
        type: z.enum(['timeseries', 'stat']),
        description: z.string().min(1),
        targets: z.array(Target).min(1),
        fieldConfig: z.looseObject({ defaults: z.looseObject({ unit: z.string() }) }),
      }),
    ]),
  ),
})
const dashboard = Dashboard.parse(JSON.parse(readFile('grafana-dashboard.json')))
const panels = dashboard.panels.filter((panel) => panel.type !== 'row')
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The names of metrics in an expression: those that processes serve have one of these beginnings. */
const namesIn = (expr: string): string[] => expr.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g) ?? []

/** Every name under which the metrics of a process can be queried. */
const listServed = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )

test('Every metric of the dashboard and of the alert rules is served by a gateway or a worker.', async () => {
  await using own = await startOwnGateway()
  await using worker = await startWorker()
  await ok(own.ada, 'GET', '/users/me', {}, { url: own.gateway.url })
  const served = new Set<string>()
  for (const { operations_url } of [own.gateway, worker]) {
    const { text } = await sendRequest(portOf(operations_url), { path: '/metrics' })
    for (const name of listServed(text)) served.add(name)
  }
  const named = new Set([...expressions, ...rules.map(({ expr }) => expr)].flatMap(namesIn))
  expect(named.size).toBeGreaterThan(25)
  expect([...named].filter((name) => !served.has(name))).toEqual([])
})

test('The guide lists the metrics of the alert rules, and no others.', () => {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const table = guide.slice(guide.indexOf('| metric | alert when |')).split('\n\n')[0] as string
  const listed = table.split('\n').flatMap((row) => namesIn(row.split('|')[1] ?? ''))
  const used = rules.flatMap(({ expr }) => namesIn(expr)).map((name) => name.replace(/_bucket$/, ''))
  expect(new Set(listed)).toEqual(new Set(used))
})

test('The dashboard shows every metric that the console shows.', () => {
  const shown = expressions.flatMap(namesIn).map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  const names = Object.values(sampledMetrics).map(([name]) => name)
  expect(names.filter((name) => !shown.includes(name))).toEqual([])
})

test('The panels of the dashboard have an id each and do not cover each other.', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  const variables = dashboard.templating.list.map(({ name }) => name)
  const used = new Set(expressions.flatMap((expr) => [...expr.matchAll(/\$(?!__)(\w+)/g)].map(([, name]) => name)))
  expect([...used].filter((name) => name === undefined || !variables.includes(name))).toEqual([])
})

/** Series that make an alert fire, as promtool writes them: `0+10x40` is 0, 10, 20, … each 15 seconds. */
const firing: Readonly<Record<string, readonly [series: string, values: string][]>> = {
  ParleyServiceDown: [['parley_service_up{service="redis"}', '0x40']],
  ParleyServiceUnstable: [['parley_service_outages_total{service="redis"}', '0+1x60']],
  ParleyProcessDown: [['up{job="parley"}', '0x40']],
  ParleyNoGateway: [['parley_jobs_due{class="mail"}', '0x160']],
  ParleyNoWorker: [['parley_connections{transport="sockets"}', '0x160']],
  ParleyBehindLog: [['parley_log_lag_entries', '500x160']],
  ParleyDeliveryLate: [
    ['parley_delivery_duration_seconds_bucket{le="1"}', '0x160'],
    ['parley_delivery_duration_seconds_bucket{le="2.5"}', '0+9x160'],
    ['parley_delivery_duration_seconds_bucket{le="+Inf"}', '0+9x160'],
  ],
  ParleyEventLoopDelayed: [['nodejs_eventloop_lag_p99_seconds', '0.5x160']],
  ParleyCallsFail: [
    ['parley_calls_total{result="failed"}', '0+10x160'],
    ['parley_calls_total{result="answered"}', '0+90x160'],
  ],
  ParleySendsSlow: [
    ['parley_call_duration_seconds_bucket{endpoint="sendMessage",le="1"}', '0x160'],
    ['parley_call_duration_seconds_bucket{endpoint="sendMessage",le="2.5"}', '0+9x160'],
    ['parley_call_duration_seconds_bucket{endpoint="sendMessage",le="+Inf"}', '0+9x160'],
  ],
  ParleyPostgresSlow: [['parley_postgres_wait_seconds', '0.3x160']],
  ParleyPostgresOverloaded: [['parley_postgres_overloaded', '1x160']],
  ParleyStandbyReadsOnPrimary: [
    ['parley_standby_reads_total{result="standby"}', '0+40x160'],
    ['parley_standby_reads_total{result="behind"}', '0+30x160'],
    ['parley_standby_reads_total{result="away"}', '0+30x160'],
  ],
  ParleyJobsLate: [['parley_jobs_longest_wait_seconds{class="mail"}', '90x160']],
  ParleyJobsFail: [['parley_jobs_failed{class="mail"}', '2x160']],
  ParleySlowClients: [['parley_slow_clients_closed_total', '0+10x160']],
  ParleyGuardRetries: [['parley_guard_retries_total', '0+1500x160']],
  ParleyReleasesDiffer: [
    ['parley_build_info{version="1"}', '1x160'],
    ['parley_build_info{version="2"}', '1x160'],
  ],
}

const promtool = findProgram({ path: process.env.PATH ?? '' }, 'promtool')

describe.skipIf(promtool === undefined)(
  'promtool (skipped where it is not installed: apt-get install prometheus)',
  () => {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(promtool as string, args, { encoding: 'utf8' })
      return { status, output: `${stdout}${stderr}` }
    }
    const inFolder = (files: Record<string, object>, work: (path: (name: string) => string) => void) => {
      const temporary = mkdtempSync(join(tmpdir(), 'parley-rules-'))
      try {
        for (const [name, content] of Object.entries(files)) writeFileSync(join(temporary, name), stringify(content))
        work((name) => join(temporary, name))
      } finally {
        rmSync(temporary, { recursive: true })
      }
    }

    test('accepts the configuration and the alert rules.', () => {
      expect(run('check', 'config', join(folder, 'prometheus.yaml'))).toMatchObject({ status: 0 })
      expect(run('check', 'rules', '--lint=all', '--lint-fatal', join(folder, 'alerts.yaml'))).toMatchObject({
        status: 0,
      })
    })

    test('accepts the expressions of the dashboard.', () => {
      const recorded = expressions.map((expr, i) => ({
        record: `expression:${i}`,
        expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
      }))
      inFolder({ 'dashboard.yaml': { groups: [{ name: 'dashboard', rules: recorded }] } }, (path) => {
        expect(run('check', 'rules', path('dashboard.yaml'))).toMatchObject({ status: 0 })
      })
    })

    test('sees each alert fire for the fault that it is about, and none for a deployment without a fault.', () => {
      expect(Object.keys(firing)).toEqual(rules.map(({ alert }) => alert))
      const fires = (expr: string) => [{ expr, eval_time: '40m', exp_samples: [{ labels: '{}', value: 1 }] }]
      const tests = Object.entries(firing).map(([alert, series]) => ({
        interval: '15s',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: fires(
          `max by () (max_over_time((ALERTS{alertname="${alert}",alertstate="firing"})[40m:15s]))`,
        ),
      }))
      const good = {
        interval: '15s',
        input_series: [
          ['parley_service_up{service="redis"}', '1x160'],
          ['up{job="parley"}', '1x160'],
          ['parley_connections{transport="sockets"}', '5x160'],
          ['parley_jobs_due{class="mail"}', '0x160'],
          ['parley_jobs_failed{class="mail"}', '0x160'],
          ['parley_log_lag_entries', '3x160'],
          ['parley_calls_total{result="failed"}', '0x160'],
          ['parley_calls_total{result="answered"}', '0+90x160'],
          ['parley_build_info{version="1"}', '1x160'],
          // One process has standbys and the other none.
          ['parley_standby_reads_total{instance="a",result="standby"}', '0+60x160'],
          ['parley_standby_reads_total{instance="a",result="behind"}', '0+40x160'],
          ['parley_standby_reads_total{instance="b",result="standby"}', '0x160'],
          ['parley_standby_reads_total{instance="b",result="away"}', '0x160'],
        ].map(([series, values]) => ({ series, values })),
        promql_expr_test: [{ expr: 'count(max_over_time(ALERTS[40m:15s]))', eval_time: '40m', exp_samples: [] }],
      }
      inFolder(
        {
          'alerts.test.yaml': {
            rule_files: [join(folder, 'alerts.yaml')],
            evaluation_interval: '15s',
            tests: [...tests, good],
          },
        },
        (path) => expect(run('test', 'rules', path('alerts.test.yaml'))).toMatchObject({ status: 0 }),
      )
    })
  },
)
