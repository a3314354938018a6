/** Shows whether the page is connected; a panel says how, and lets the user change it while reading. */

import type { ConnectionState } from '@parley/client'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { useDismiss } from '../ui/use-dismiss.js'

const transports = [
  { name: 'websocket', label: 'WebSocket' },
  { name: 'sse', label: t('Server-sent events') },
  { name: 'poll', label: t('Long polling') },
] as const

const words: Record<ConnectionState['status'], string> = {
  connecting: t('Connecting…'),
  open: t('Connected'),
  waiting: t('Offline'),
  closed: t('Closed'),
}

/** The state of the connection, and the panel. */
export const ConnectionStatus = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useDismiss(root, isOpen)
  const status = useComputed(() => chat.connection.value.status)
  const label = t('Connection: {state}', { state: words[status.value] })
  // A visitor receives no events.
  if (chat.ownUserId === undefined) return null
  return (
    <div class="menu-anchor" ref={root}>
      <button
        type="button"
        class={`connection-button connection-${status.value}`}
        aria-label={label}
        title={label}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <span class="connection-dot" aria-hidden="true" />
        <span class="connection-word">{words[status.value]}</span>
      </button>
      {/* Screen readers say no change of what is inside of a button. */}
      <span class="only-for-screen-readers" role="status">
        {words[status.value]}
      </span>
      {isOpen.value && <ConnectionPanel />}
    </div>
  )
}

/**
 * The gateways among which the user can choose: any one, through the address of the page, and those that the operator
 * has named. All have the origin of the page, so the cookie of the session reaches them, and the policy of the page
 * allows them.
 */
const gatewaysOf = ({ client, organization }: Chat): { address: string; label: string }[] => {
  const { server_gateway_paths: paths = [] } = organization.value
  return [
    ...client.gateways.map((address) => ({
      address,
      label: paths.length === 0 ? new URL(address).host : t('Any'),
    })),
    ...paths.map((path) => ({ address: location.origin + path, label: path.slice(path.lastIndexOf('/') + 1) })),
  ]
}

const ConnectionPanel = () => {
  const chat = useChat()
  const { status, transport, gateway, retryAt, reason } = chat.connection.value
  return (
    <div class="floating-panel connection-panel">
      <fieldset>
        <legend>{t('Transport')}</legend>
        {transports.map(({ name, label }) => (
          <label key={name}>
            <input
              type="radio"
              name="transport"
              checked={transport === name}
              onChange={() => chat.realm.connection.switchTransport(name)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('Gateway')}</legend>
        {gatewaysOf(chat).map(({ address, label }) => (
          <label key={address}>
            <input
              type="radio"
              name="gateway"
              checked={gateway === address}
              onChange={() => chat.realm.connection.switchGateway(address)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {status === 'waiting' && (
        <p class="connection-reason">
          {reason !== undefined && <span>{reason} </span>}
          <RetryCountdown retryAt={retryAt} />
          <button type="button" class="button" onClick={() => chat.realm.connection.retryNow()}>
            {t('Connect now')}
          </button>
        </p>
      )}
    </div>
  )
}

const RetryCountdown = ({ retryAt }: { retryAt: number | undefined }) => {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 500)
    return () => clearInterval(timer)
  }, [])
  if (retryAt === undefined) return null
  const seconds = Math.max(0, Math.ceil((retryAt - now.value) / 1000))
  return <span>{t('The next attempt is in {seconds, number} s.', { seconds })} </span>
}
