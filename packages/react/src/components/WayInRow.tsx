import { useSyncExternalStore } from 'react'
import type { SignInRow } from '../core/signInFlow/listSignInRows.ts'
import { useClient } from '../hooks/useClient.ts'
import type { Say } from './createSay.ts'
import { Glyph } from './Glyph.tsx'
import { isTouchDevice } from './isTouchDevice.ts'
import { useSheet } from './SheetContext.ts'
import { WalletIcon } from './WalletIcon.tsx'

/** One way in; a click picks it and starts. */
export function WayInRow({ row }: { row: SignInRow }) {
  const { flow, say } = useSheet()
  const { wallet } = useClient()
  const state = useSyncExternalStore(wallet.subscribe, wallet.get, wallet.get)
  const isConnected = state.status === 'connected' && state.connector.id === row.id
  const tag = row.last ? say('lastTime') : isConnected ? say('connected') : undefined
  const { name, hint } = describe(say, row)
  const start = () => {
    if (row.connector) flow.connect(row.connector)
    else if (row.kind === 'passkey') flow.signInWithPasskey()
    else flow.openPassword()
  }
  return (
    <li>
      <button
        type="button"
        className="cs-way"
        data-way={name}
        data-kind={row.kind}
        data-last={row.last || undefined}
        onClick={start}
      >
        {row.connector ? (
          <WalletIcon connector={row.connector} size="small" />
        ) : (
          <span className="cs-icon" data-size="small">
            <Glyph name={row.kind === 'passkey' ? 'passkey' : 'password'} />
          </span>
        )}
        <span className="cs-way-text">
          <span className="cs-way-name">{name}</span>
          {hint && <span className="cs-way-hint">{hint}</span>}
        </span>
        {tag && <span className="cs-tag">{tag}</span>}
      </button>
    </li>
  )
}

/** Somebody else had claimed the same reverse domain name before (S24). */
function isCopy(connector: SignInRow['connector']): boolean {
  return connector?.rdns !== undefined && connector.id !== connector.rdns
}

function describe(say: Say, { kind, connector, rdns }: SignInRow): { name: string; hint?: string } {
  switch (kind) {
    case 'phone':
      return { name: say('phone'), hint: isTouchDevice() ? say('phoneHintHere') : say('phoneHint') }
    case 'passkey':
      return { name: say('passkey'), hint: say('passkeyHint') }
    case 'password':
      return { name: say('password'), hint: say('passwordHint') }
    case 'demo':
      return { name: say('demo'), hint: say('demoHint') }
    case 'wallet':
      return { name: connector?.name ?? '', hint: rdns && isCopy(connector) ? say('copy', { rdns }) : rdns }
  }
}
