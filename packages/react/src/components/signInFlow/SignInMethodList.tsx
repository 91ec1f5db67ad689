'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { findInAppBrowser } from '../../core/platform/findInAppBrowser.ts'
import type { SignInOption } from '../../core/signInFlow/signInRows.ts'
import { useClient } from '../../hooks/client/useClient.ts'
import type { Translate } from '../i18n/createFormatter.ts'
import { isTouchDevice } from './describeStep.ts'
import { CopyButton, Glyph, type GlyphName, Notice, WalletIcon } from './parts.tsx'
import { useSheet } from './SheetContext.ts'

/** How long (ms) to wait for wallets before the sheet shows that there are none. */
const waitTime = 400

type Props = { rows: readonly SignInOption[]; ended: boolean }

/** The sign-in methods, quickest first. */
export function SignInMethodList({ rows, ended }: Props) {
  const { say, links, linking, flow } = useSheet()
  const { offers } = flow
  const hasWallets = !offers || offers.methods.includes('wallet')
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, waitTime, true)
    return () => clearTimeout(timer)
  }, [])
  const app = rows.some(({ kind }) => kind === 'passkey') ? findInAppBrowser() : undefined
  const groups = groupRows(rows)
  return (
    <div className="cs-body">
      {ended && <Notice tone="info">{say('ended')}</Notice>}
      <div className="cs-ways">
        {groups.map((group) => (
          <ul key={group[0]?.id} className="cs-group" aria-label={say('signInMethods')}>
            {group.map((row) => (
              <SignInMethodRow key={row.id} row={row} />
            ))}
          </ul>
        ))}
        {isLate && hasWallets && !rows.some(({ kind }) => kind === 'wallet') && (
          <Notice tone="quiet" title={say('noWallet')}>
            {say('noWalletHint')}
            {links.getWallet && (
              <a className="cs-link" href={links.getWallet} target="_blank" rel="noreferrer">
                {say('getWallet')}
              </a>
            )}
          </Notice>
        )}
      </div>
      {app && (
        <Notice tone="warn">
          {say('inApp', { app })}
          <CopyButton text={globalThis.location?.href ?? ''} label={say('copyAddress')} />
        </Notice>
      )}
      {!linking && hasWallets && (offers?.signUp.mode ?? 'open') === 'open' && (
        <p className="cs-footnote">{say('firstTime')}</p>
      )}
    </div>
  )
}

/** Wallets and the phone together, the others together, the demo wallet alone; the last used joins what follows it. */
function groupRows(rows: readonly SignInOption[]): SignInOption[][] {
  const groups: SignInOption[][] = []
  for (const row of rows) {
    const before = groups.at(-1)
    const neighbour = before?.at(-1)
    if (before && neighbour && (neighbour.last || placeOf(neighbour) === placeOf(row))) before.push(row)
    else groups.push([row])
  }
  return groups
}

function placeOf({ kind }: SignInOption): number {
  if (kind === 'demo') return 2
  return kind === 'wallet' || kind === 'phone' ? 0 : 1
}

/** One sign-in method; a click starts it. */
function SignInMethodRow({ row }: { row: SignInOption }) {
  const { flow, say } = useSheet()
  const { wallet } = useClient()
  const state = useSyncExternalStore(wallet.subscribe, wallet.get, wallet.get)
  const isConnected = state.status === 'connected' && state.connector.id === row.id
  const tag = row.last ? say('lastTime') : isConnected ? say('connected') : undefined
  const { name, hint } = describe(say, row)
  const start = () => {
    if (row.connector) flow.connect(row.connector)
    else if (row.provider) flow.signInWithProvider(row.provider)
    else if (row.kind === 'passkey') flow.signInWithPasskey()
    else if (row.kind === 'emailCode') flow.openEmailCode()
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
            <Glyph name={glyphs[row.kind] ?? 'password'} />
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

const glyphs: Partial<Record<SignInOption['kind'], GlyphName>> = {
  passkey: 'passkey',
  provider: 'provider',
  emailCode: 'mail',
}

/** Somebody else had claimed the same reverse domain name before. */
function isCopy(connector: SignInOption['connector']): boolean {
  return connector?.rdns !== undefined && connector.id !== connector.rdns
}

function describe(say: Translate, { kind, connector, provider, rdns }: SignInOption): { name: string; hint?: string } {
  switch (kind) {
    case 'phone':
      return { name: say('phone'), hint: isTouchDevice() ? say('phoneHintHere') : say('phoneHint') }
    case 'passkey':
      return { name: say('passkey'), hint: say('passkeyHint') }
    case 'provider':
      return { name: provider?.label ?? '' }
    case 'emailCode':
      return { name: say('emailCode'), hint: say('emailCodeHint') }
    case 'password':
      return { name: say('password'), hint: say('passwordHint') }
    case 'demo':
      return { name: say('demo'), hint: say('demoHint') }
    case 'wallet':
      return { name: connector?.name ?? '', hint: rdns && isCopy(connector) ? say('copy', { rdns }) : rdns }
  }
}
