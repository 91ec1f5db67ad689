import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

type Time = string | Date

export type Token = {
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly addresses: readonly string[]
  readonly lastUsedAt?: Time
  readonly lastAddress?: string
  readonly expiresAt?: Time
  readonly madeBy?: string
}

/** One token: its last use and end, and its scopes when opened. */
export function TokenRow({ token, aside, actions }: { token: Token; aside?: ReactNode; actions?: ReactNode }) {
  const { name, hint, lastUsedAt, lastAddress, expiresAt, scopes, addresses, madeBy } = token
  const time = (at: Time) => <RelativeTime date={new Date(at)} />
  return (
    <DetailRow
      icon={<RowIcon icon={KeyRound} />}
      title={name}
      aside={aside}
      facts={[
        lastUsedAt ? <Trans key="used" text="Used {time}" values={{ time: time(lastUsedAt) }} /> : t('Never used'),
        expiresAt && <Trans key="end" text="Expires {time}" values={{ time: time(expiresAt) }} />,
      ]}
      minorFact={lastAddress}
      actions={actions}
    >
      <div className="flex flex-col gap-1.5 text-sm text-muted">
        <code dir="ltr" className="text-xs break-all">
          …{hint}
        </code>
        <code dir="ltr" className="text-xs break-all">
          {scopes.join(' ')}
        </code>
        {addresses.length > 0 && (
          <code dir="ltr" className="text-xs break-all">
            {addresses.join(' ')}
          </code>
        )}
        {madeBy && <span>{t('Created by {name}', { name: madeBy })}</span>}
      </div>
    </DetailRow>
  )
}
