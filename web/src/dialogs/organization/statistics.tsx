/** How much the organization is used: its users, and the messages of each day. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ActionStatus, useAction } from '../../forms/action.js'
import { SelectField } from '../../forms/fields.js'
import { locale } from '../../languages/locale.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { formatCalendarDate } from '../../ui/times.js'

type Statistics = Result<'GET /realm/statistics'>
type Day = Statistics['days'][number]

const DAY = 86_400

const periods = [
  { value: 7, label: t('Last 7 days') },
  { value: 30, label: t('Last 30 days') },
  { value: 90, label: t('Last 90 days') },
  { value: 365, label: t('Last 365 days') },
]

/** The page "Statistics". */
export const StatisticsPage = () => {
  const chat = useChat()
  const action = useAction()
  const period = useSignal(30)
  const loaded = useSignal<{ period: number; statistics: Statistics } | undefined>(undefined)
  useEffect(() => {
    void action.run(async () => {
      const days = period.peek()
      loaded.value = { period: days, statistics: await chat.client.call('GET /realm/statistics', { days }) }
    })
  }, [period.value])
  return (
    <>
      <Figures statistics={loaded.value?.statistics} />
      <section class="dialog-group" aria-label={t('Messages by day')}>
        <h3>{t('Messages by day')}</h3>
        <SelectField
          label={t('Time')}
          hint={t('The days are those of UTC. Deleted messages do not count.')}
          options={periods}
          value={period.value}
          onChange={(value) => {
            period.value = value
          }}
        />
        {loaded.value !== undefined && (
          <MessageChart days={fillDays(loaded.value.statistics.days, loaded.value.period)} />
        )}
        <ActionStatus action={action} />
      </section>
    </>
  )
}

/** All days of the time, also those without messages. */
const fillDays = (counted: readonly Day[], period: number): Day[] => {
  const known = new Map(counted.map((day) => [day.timestamp, day]))
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY
  return Array.from({ length: period }, (_, index) => {
    const timestamp = today - (period - 1 - index) * DAY
    return known.get(timestamp) ?? { timestamp, channel_messages: 0, direct_messages: 0, senders: 0 }
  })
}

const Figures = ({ statistics }: { statistics: Statistics | undefined }) => {
  const chat = useChat()
  const users = [...chat.users.value.values()].filter(({ is_active }) => is_active)
  const people = users.filter(({ is_bot }) => !is_bot)
  const channels = [...chat.channels.value.values()].filter(({ is_archived }) => !is_archived)
  const figures: [label: string, value: string | undefined][] = [
    [t('People'), formatCount(people.length)],
    [t('Of them guests'), formatCount(people.filter(({ role }) => role === 600).length)],
    [t('Bots'), formatCount(users.length - people.length)],
    [t('Active in the last 24 hours'), formatCount(statistics?.active_users.day)],
    [t('Active in the last 7 days'), formatCount(statistics?.active_users.week)],
    [t('Active in the last 30 days'), formatCount(statistics?.active_users.month)],
    [t('Channels that you see'), formatCount(channels.length)],
    [t('Uploaded files'), formatBytes(statistics?.upload_bytes)],
  ]
  return (
    <dl class="figure-list" aria-label={t('Figures')}>
      {figures.map(([label, value]) => (
        <div key={label} class="figure-box">
          <dt>{label}</dt>
          <dd>{value ?? '…'}</dd>
        </div>
      ))}
    </dl>
  )
}

const counts = new Intl.NumberFormat(locale)

const formatCount = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : counts.format(count)

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

const formatBytes = (bytes: number | undefined): string | undefined => {
  if (bytes === undefined) return undefined
  const step = Math.min(sizes.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
  const style = { style: 'unit', unit: sizes[step] as string, unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / 1000 ** step)
}

const formatDay = ({ timestamp }: Day): string =>
  formatCalendarDate(new Date(timestamp * 1000).toISOString().slice(0, 10))

const totalOf = ({ channel_messages, direct_messages }: Day): number => channel_messages + direct_messages

/** The height of the chart, in the unit of its drawing. A bar and its gap are 10 wide. */
const HEIGHT = 100

const MessageChart = ({ days }: { days: readonly Day[] }) => {
  const most = Math.max(1, ...days.map(totalOf))
  const all = days.reduce((sum, day) => sum + totalOf(day), 0)
  const busy = days.filter((day) => totalOf(day) > 0)
  const scale = (count: number) => (count / most) * HEIGHT
  return (
    <>
      <figure class="message-chart">
        <figcaption>
          {t('{count, plural, one {# message} other {# messages}}, {most, number} on the busiest day', {
            count: all,
            most,
          })}
        </figcaption>
        <svg viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((day, index) => (
            <g key={day.timestamp}>
              <title>{describeDay(day)}</title>
              <rect class="chart-day" x={index * 10} y={0} width={10} height={HEIGHT} />
              <rect
                class="chart-bar"
                x={index * 10 + 1}
                y={HEIGHT - scale(totalOf(day))}
                width={8}
                height={scale(totalOf(day))}
              />
              <rect
                class="chart-bar-direct"
                x={index * 10 + 1}
                y={HEIGHT - scale(day.direct_messages)}
                width={8}
                height={scale(day.direct_messages)}
              />
            </g>
          ))}
        </svg>
        <p class="chart-ends">
          <span>{formatDay(days[0] as Day)}</span>
          <span>{formatDay(days.at(-1) as Day)}</span>
        </p>
        <p class="chart-legend">
          <span class="chart-key" /> {t('In channels')} <span class="chart-key chart-key-direct" /> {t('Direct')}
        </p>
      </figure>
      {busy.length > 0 && (
        <details>
          <summary>{t('As a table')}</summary>
          <table class="chart-table">
            <thead>
              <tr>
                <th scope="col">{t('Day')}</th>
                <th scope="col">{t('In channels')}</th>
                <th scope="col">{t('Direct')}</th>
                <th scope="col">{t('Senders')}</th>
              </tr>
            </thead>
            <tbody>
              {busy.toReversed().map((day) => (
                <tr key={day.timestamp}>
                  <th scope="row">{formatDay(day)}</th>
                  <td>{formatCount(day.channel_messages)}</td>
                  <td>{formatCount(day.direct_messages)}</td>
                  <td>{formatCount(day.senders)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}

const describeDay = (day: Day): string =>
  t('{day}: {channel, number} in channels, {direct, number} direct', {
    day: formatDay(day),
    channel: day.channel_messages,
    direct: day.direct_messages,
  })
