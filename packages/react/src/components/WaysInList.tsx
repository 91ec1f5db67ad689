import { useEffect, useState } from 'react'
import { findInAppBrowser } from '../core/signInFlow/findInAppBrowser.ts'
import type { SignInRow } from '../core/signInFlow/listSignInRows.ts'
import { CopyButton } from './CopyButton.tsx'
import { Notice } from './Notice.tsx'
import { useSheet } from './SheetContext.ts'
import { WayInRow } from './WayInRow.tsx'

/** How long a wallet may take to make itself known before the sheet says that there is none. */
const patience = 400

type Props = { rows: readonly SignInRow[]; ended: boolean }

/** The ways in, quickest first. */
export function WaysInList({ rows, ended }: Props) {
  const { say, links, linking } = useSheet()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, patience, true)
    return () => clearTimeout(timer)
  }, [])
  const app = rows.some(({ kind }) => kind === 'passkey') ? findInAppBrowser() : undefined
  const groups = groupRows(rows)
  return (
    <div className="cs-body">
      {ended && <Notice tone="info">{say('ended')}</Notice>}
      <div className="cs-ways">
        {isLate && !rows.some(({ kind }) => kind === 'wallet') && (
          <Notice tone="quiet" title={say('noWallet')}>
            {say('noWalletHint')}
            {links.getWallet && (
              <a className="cs-link" href={links.getWallet} target="_blank" rel="noreferrer">
                {say('getWallet')}
              </a>
            )}
          </Notice>
        )}
        {groups.map((group) => (
          <ul key={group[0]?.kind} className="cs-group" aria-label={say('waysIn')}>
            {group.map((row) => (
              <WayInRow key={row.id} row={row} />
            ))}
          </ul>
        ))}
      </div>
      {app && (
        <Notice tone="warn">
          {say('inApp', { app })}
          <CopyButton text={globalThis.location?.href ?? ''} label={say('copyAddress')} />
        </Notice>
      )}
      {!linking && <p className="cs-footnote">{say('firstTime')}</p>}
    </div>
  )
}

/** Wallets and the phone together, then passkey and password, then the demo wallet. */
function groupRows(rows: readonly SignInRow[]): SignInRow[][] {
  const groups: SignInRow[][] = [[], [], []]
  for (const row of rows) groups[row.last ? 0 : placeOf(row)]?.push(row)
  return groups.filter((group) => group.length > 0)
}

function placeOf({ kind }: SignInRow): number {
  if (kind === 'demo') return 2
  return kind === 'passkey' || kind === 'password' ? 1 : 0
}
