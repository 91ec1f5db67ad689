import type { TokenGateHolderRecord, TokenGateRecord } from '@countersign/protocol'
import { Plus, Ticket, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useChainName } from '../../../chain/useChainName.ts'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../../ui/DetailRow.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { DocsLink } from '../DocsLink.tsx'
import { PagedList } from '../PagedList.tsx'
import { useChange } from '../useChange.ts'
import { nameKind, TokenGateForm } from './TokenGateForm.tsx'

/** Roles for token holders, with their conditions and members. */
export function TokenGates() {
  const gates = useAsk('listTokenGates', {})
  const isAdmin = useConsole().role === 'admin'
  const [parameters, setParameters] = useSearchParams()
  const show = (isOpen: boolean) => setParameters(isOpen ? { create: '1' } : {}, { replace: true })
  const create = isAdmin && (
    <Button onClick={() => show(true)}>
      <Plus size={18} aria-hidden="true" />
      {t('New token gate')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Token gates')} aside={gates.data && gates.data.results.length > 0 && create}>
        {t('Roles for token holders.')}
      </PageHeader>
      {isAdmin && parameters.has('create') && <TokenGateForm onClose={() => show(false)} onSaved={gates.refetch} />}
      <ReadingStatus reading={gates} failure={t('The token gates could not be loaded')} />
      {gates.data && (
        <Card>
          <ul aria-label={t('Token gates')} className="-my-3.5 divide-y divide-line">
            {gates.data.results.map((gate) => (
              <TokenGateRow key={gate.objectId} gate={gate} onChanged={gates.refetch} />
            ))}
            {gates.data.results.length === 0 && (
              <li>
                <EmptyState
                  icon={Ticket}
                  title={t('No token gates')}
                  actions={
                    <>
                      {create}
                      <DocsLink page="token-gates" />
                    </>
                  }
                >
                  {t('A token gate gives a role to everyone who holds a token.')}
                </EmptyState>
              </li>
            )}
          </ul>
        </Card>
      )}
    </>
  )
}

function TokenGateRow({ gate, onChanged }: { gate: TokenGateRecord; onChanged: () => void }) {
  const { objectId, role, chain, kind, token, tokenId, amount, createdAt, checkedAt, error, members } = gate
  const isAdmin = useConsole().role === 'admin'
  const nameChain = useChainName()
  const { pending, change } = useChange()
  const [round, setRound] = useState(0)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const check = async () => {
    if (!(await change('checkTokenGate', { objectId }, t('All wallets checked')))) return
    setRound(round + 1)
    onChanged()
  }
  const remove = async () => {
    const done = await change('deleteTokenGate', { objectId }, t('Token gate deleted'))
    setOpen(undefined)
    if (done) onChanged()
  }
  return (
    <DetailRow
      icon={<RowIcon icon={Ticket} />}
      heading="h2"
      title={role}
      aside={
        <>
          <Badge>{t('{count, plural, one {# member} other {# members}}', { count: members })}</Badge>
          {error && <Badge tone="warn">{t('Not checked')}</Badge>}
        </>
      }
      facts={[nameKind(kind), nameChain(chain), t('At least {amount}', { amount })]}
      minorFact={checkedAt && <RelativeTime date={new Date(checkedAt)} />}
    >
      <DetailList>
        {token && (
          <Detail name={t('Token')}>
            <code className="text-xs break-all">{token}</code>
          </Detail>
        )}
        {tokenId && <Detail name={t('Token ID')}>{tokenId}</Detail>}
        <Detail name={t('Created')}>{formatTime(new Date(createdAt))}</Detail>
        {checkedAt && <Detail name={t('Last checked')}>{formatTime(new Date(checkedAt))}</Detail>}
        {error && <Detail name={t('Problem')}>{error}</Detail>}
      </DetailList>
      {isAdmin && (
        <div className="my-4 flex flex-wrap gap-2">
          <Button look="secondary" pending={pending} onClick={() => void check()}>
            {t('Check all wallets now')}
          </Button>
          <Button look="secondary" onClick={() => setOpen('edit')}>
            {t('Edit')}
          </Button>
          <Button look="danger-quiet" onClick={() => setOpen('delete')}>
            {t('Delete')}
          </Button>
        </div>
      )}
      {open === 'edit' && <TokenGateForm gate={gate} onClose={() => setOpen(undefined)} onSaved={onChanged} />}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={() => setOpen(undefined)}
        title={t('Delete token gate?')}
        description={t('Members who have the role {name} only by this gate lose it.', { name: role })}
        confirm={t('Delete')}
        danger
        pending={pending}
        onConfirm={() => void remove()}
      />
      <h3 className="mt-4 mb-3 text-base">{t('Eligible wallets')}</h3>
      <PagedList
        key={round}
        label={t('Eligible wallets')}
        name="listTokenGateHolders"
        input={(after) => ({ objectId, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(holder) => <Holder key={holder.address} holder={holder} />}
        failure={t('The wallets could not be loaded')}
        empty={{ icon: UserRound, title: t('Nobody') }}
      />
    </DetailRow>
  )
}

function Holder({ holder: { address, amount, user } }: { holder: TokenGateHolderRecord }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-sm">
      <Link to={`/admin/users/${user.objectId}`} className="font-semibold wrap-anywhere">
        <bdi>{user.username ?? user.objectId}</bdi>
      </Link>
      <code className="min-w-0 flex-1 text-xs text-muted break-all">{address}</code>
      <span>{amount}</span>
    </li>
  )
}
