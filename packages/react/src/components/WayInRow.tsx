import { useSyncExternalStore } from 'react'
import type { SignInRow } from '../core/signInFlow/listSignInRows.ts'
import { useClient } from '../hooks/useClient.ts'
import { Glyph } from './Glyph.tsx'
import { isTouchDevice } from './isTouchDevice.ts'
import { useSheet } from './SheetContext.ts'
import { WalletIcon } from './WalletIcon.tsx'
import type { SheetWords } from './words.ts'

/** One way in; a click picks it and starts. */
export function WayInRow({ row }: { row: SignInRow }) {
  const { flow, words } = useSheet()
  const { wallet } = useClient()
  const state = useSyncExternalStore(wallet.subscribe, wallet.get, wallet.get)
  const isConnected = state.status === 'connected' && state.connector.id === row.id
  const tag = row.last ? words.lastTime : isConnected ? words.connected : undefined
  const { name, hint } = describe(words, row)
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

function describe(words: SheetWords, { kind, connector, rdns }: SignInRow): { name: string; hint?: string } {
  switch (kind) {
    case 'phone':
      return { name: words.phone, hint: isTouchDevice() ? words.phoneHintHere : words.phoneHint }
    case 'passkey':
      return { name: words.passkey, hint: words.passkeyHint }
    case 'password':
      return { name: words.password, hint: words.passwordHint }
    case 'demo':
      return { name: words.demo, hint: words.demoHint }
    case 'wallet':
      return { name: connector?.name ?? '', hint: rdns && isCopy(connector) ? words.copy(rdns) : rdns }
  }
}
