import type { KeyList } from '@countersign/protocol'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { RowIcon } from '../../ui/DetailRow.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AccessKeys } from './AccessKeys.tsx'
import { type Output, useAsk, useConsole } from './ask.ts'
import { CodeBox } from './CodeBox.tsx'
import { useChange } from './useChange.ts'

type Key = KeyList['results'][number]

/** The keys of the application, and their rotation. */
export function Keys() {
  const isAdmin = useConsole().role === 'admin'
  const keys = useAsk('listKeys', {})
  return (
    <>
      <PageHeader title={t('Keys')}>{t('Secret keys are never shown, except right after you create them.')}</PageHeader>
      <ReadingStatus reading={keys} failure={t('The keys could not be loaded')} />
      {keys.data && (
        <div className="flex flex-col gap-6">
          <Card>
            <ul className="-my-3 divide-y divide-line">
              {keys.data.results.map((each) => (
                <KeyRow key={each.name} known={each} />
              ))}
            </ul>
          </Card>
          {isAdmin && <Rotation isRotating={keys.data.isRotating} onChanged={keys.refetch} />}
          <AccessKeys isAdmin={isAdmin} />
        </div>
      )}
    </>
  )
}

function KeyRow({ known: { name, source, value, hasFormer } }: { known: Key }) {
  return (
    <li className="flex items-center gap-3.5 py-3">
      <span className="max-sm:hidden">
        <RowIcon icon={KeyRound} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="text-base">{nameKey(name)}</h2>
          <Badge>{source === 'made' ? t('Created by the server') : t('Configuration')}</Badge>
          {hasFormer && <Badge tone="warn">{t('Previous key still works')}</Badge>}
        </div>
        <code dir="ltr" className="text-xs break-all text-muted">
          {value ?? '••••••'}
        </code>
      </div>
      {value !== undefined && <CopyButton text={value} label={t('Copy: {name}', { name: nameKey(name) })} />}
    </li>
  )
}

function nameKey(name: Key['name']): string {
  switch (name) {
    case 'appId':
      return t('Application ID')
    case 'javascriptKey':
      return t('JavaScript key')
    case 'masterKey':
      return t('Master key')
    case 'secret':
      return t('Encryption secret')
  }
}

type Change = 'rotateKeys' | 'retireKeys'

function Rotation({ isRotating, onChanged }: { isRotating: boolean; onChanged: () => void }) {
  const [asked, setAsked] = useState<Change>()
  const { pending, change } = useChange()
  const [done, setDone] = useState<Output<Change>>()
  const carryOut = async () => {
    if (!asked) return
    const outcome = await change(asked, { confirm: true })
    setAsked(undefined)
    if (!outcome) return
    setDone(outcome)
    onChanged()
  }
  return (
    <Card aria-labelledby="rotation">
      <CardHeader id="rotation" title={t('Rotation')}>
        {isRotating
          ? t('Previous keys still work. Give your programs the new master key, then revoke the previous keys.')
          : t('Creates new keys and re-encrypts all secrets. Previous keys work until you revoke them.')}
      </CardHeader>
      {done && (
        <Alert
          tone={done.unreadable > 0 ? 'warn' : 'ok'}
          className="mb-5"
          title={t('Re-encrypted: {resealed}. Unreadable: {unreadable}.', {
            resealed: formatNumber(done.resealed),
            unreadable: formatNumber(done.unreadable),
          })}
        />
      )}
      {done?.masterKey && (
        <div className="mb-5">
          <p className="mb-2 text-sm font-semibold">
            {t('This is the new master key. Save it now. It’s shown only once.')}
          </p>
          <CodeBox label={t('New master key')} text={done.masterKey} />
        </div>
      )}
      <Button
        look={isRotating ? 'danger' : 'secondary'}
        onClick={() => setAsked(isRotating ? 'retireKeys' : 'rotateKeys')}
      >
        {isRotating ? t('Revoke previous keys') : t('Rotate keys')}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title={asked === 'retireKeys' ? t('Revoke previous keys?') : t('Rotate keys?')}
        description={
          asked === 'retireKeys'
            ? t('Programs that still use the previous master key stop working.')
            : t('This can take up to 30 seconds.')
        }
        confirm={asked === 'retireKeys' ? t('Revoke previous keys') : t('Rotate keys')}
        danger={asked === 'retireKeys'}
        pending={pending}
        onConfirm={() => void carryOut()}
      />
    </Card>
  )
}
