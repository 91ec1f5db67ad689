import { useSession } from '@countersign/react'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { AddressName } from '../../chain/AddressName.tsx'
import { explorerPath } from '../../chain/ChainLinks.tsx'
import { describeSent, describeStage } from '../../chain/describeSent.tsx'
import type { SentStage } from '../../chain/sentTransfers.ts'
import { useSentTransfers } from '../../chain/useSentTransfers.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Facts } from '../../ui/DetailRow.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

const tones: Record<SentStage, 'neutral' | 'accent' | 'ok' | 'warn'> = {
  sent: 'accent',
  block: 'accent',
  final: 'ok',
  failed: 'warn',
  replaced: 'neutral',
}

/** Transfers sent from this browser, with their progress. Nothing if there are none. */
export function SentCard() {
  const transfers = useSentTransfers(findSessionUser(useSession())?.objectId)
  if (transfers.length === 0) return null
  return (
    <Card aria-labelledby="sent-transfers" className="mb-6">
      <CardHeader id="sent-transfers" title={t('Sent from this browser')} />
      <ul className="-my-3.5 divide-y divide-line">
        {transfers.map((transfer) => {
          const { hash, chain, to, toName, at, stage } = transfer
          return (
            <li key={hash} className="relative flex items-center gap-3.5 py-3.5 text-sm">
              <div className="min-w-0 flex-1">
                <p className="font-semibold">
                  <Link
                    to={explorerPath(chain, 'tx', hash)}
                    className="rounded-sm after:absolute after:inset-0 hover:text-accent"
                  >
                    {describeSent(transfer)}
                  </Link>
                </p>
                <p className="mt-0.5 text-xs text-muted wrap-anywhere">
                  <Facts
                    items={[
                      <Trans
                        key="to"
                        text="to {address}"
                        values={{ address: toName ? <bdi title={to}>{toName}</bdi> : <AddressName address={to} /> }}
                      />,
                      <RelativeTime key="time" date={new Date(at)} />,
                    ]}
                  />
                </p>
              </div>
              <Badge tone={tones[stage]}>{describeStage(stage)}</Badge>
              <ChevronRight size={17} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
