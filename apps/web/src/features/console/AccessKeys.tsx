import { readNames } from '@countersign/protocol'
import { type ReactNode, useState } from 'react'
import { type NewToken, TokenDialog } from '../../account/tokens/TokenDialog.tsx'
import { TokenRow } from '../../account/tokens/TokenRow.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, useFormProblem } from '../../ui/forms/Form.tsx'
import { ask, type Output, useAct, useAsk, useProve } from './ask.ts'
import { CodeBox } from './CodeBox.tsx'

type Service = Output<'listServices'>['results'][number]
type Key = Output<'listAccessKeys'>['results'][number]

type Asked = { what: 'revoke' | 'rotate'; key: Key } | { what: 'delete'; service: Service }

/** Service accounts, and keys with scopes in place of the master key. */
export function AccessKeys({ isAdmin }: { isAdmin: boolean }) {
  const keys = useAsk('listAccessKeys', {})
  const services = useAsk('listServices', {})
  const prove = useProve()
  const act = useAct()
  /** The service account that gets a key; `operator` for a key without one. */
  const [owner, setOwner] = useState<Service | 'operator'>()
  const [naming, setNaming] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const [rotated, setRotated] = useState<NewToken>()
  const refetch = () => void [keys.refetch(), services.refetch()]
  const carryOut = async () => {
    if (!asked) return
    if (asked.what === 'delete') await act('deleteService', { objectId: asked.service.objectId })
    else if (asked.what === 'revoke') await act('revokeAccessKey', { objectId: asked.key.objectId })
    else setRotated(await act('rotateAccessKey', { objectId: asked.key.objectId }))
    setAsked(undefined)
    refetch()
  }
  const rowOf = (key: Key) => (
    <TokenRow
      key={key.objectId}
      token={key}
      aside={key.replacedBy !== undefined && <Badge tone="warn">{t('Replaced')}</Badge>}
      actions={
        isAdmin && (
          <div className="flex gap-2">
            {key.replacedBy === undefined && (
              <Button look="secondary" onClick={() => setAsked({ what: 'rotate', key })}>
                {t('Rotate')}
              </Button>
            )}
            <Button look="secondary" onClick={() => setAsked({ what: 'revoke', key })}>
              {t('Revoke')}
            </Button>
          </div>
        )
      }
    />
  )
  const all = keys.data?.results ?? []
  return (
    <>
      <Card aria-labelledby="operator-keys">
        <CardHeader
          id="operator-keys"
          title={t('Operator keys')}
          aside={
            isAdmin && (
              <Button look="secondary" onClick={() => setOwner('operator')}>
                {t('New key')}
              </Button>
            )
          }
        >
          {t(
            'For scripts, in place of the master key. A key ends when the operator who created it is no longer an administrator.',
          )}
        </CardHeader>
        <ReadingStatus reading={keys} failure={t('The keys could not be loaded')} bare />
        {keys.data && <KeyList>{all.filter(({ kind }) => kind === 'operator').map(rowOf)}</KeyList>}
      </Card>
      <Card aria-labelledby="services">
        <CardHeader
          id="services"
          title={t('Service accounts')}
          aside={
            isAdmin && (
              <Button look="secondary" onClick={() => setNaming(true)}>
                {t('New service account')}
              </Button>
            )
          }
        >
          {t('Programs with their own name in access lists and roles.')}
        </CardHeader>
        <ReadingStatus reading={services} failure={t('The keys could not be loaded')} bare />
        {services.data?.results.length === 0 && <p className="text-sm text-muted">{t('No service accounts yet')}</p>}
        <div className="flex flex-col gap-5">
          {services.data?.results.map((service) => (
            <ServiceSection
              key={service.objectId}
              service={service}
              isAdmin={isAdmin}
              onNewKey={() => setOwner(service)}
              onDelete={() => setAsked({ what: 'delete', service })}
            >
              {all.filter((key) => key.service === service.name).map(rowOf)}
            </ServiceSection>
          ))}
        </div>
      </Card>
      <ScopesCard />
      <TokenDialog
        open={owner !== undefined}
        onOpenChange={() => setOwner(undefined)}
        title={t('New key')}
        hint={t('For example: {scopes}', {
          scopes: owner === 'operator' ? 'users:read schema:write backup' : 'Score:read Score:write',
        })}
        mayLast
        create={async (draft) => {
          const service = typeof owner === 'object' ? { service: owner.objectId } : {}
          const made = await prove(() => ask('createAccessKey', { ...draft, ...service }))
          refetch()
          return made
        }}
      />
      <ServiceDialog open={naming} onOpenChange={setNaming} onCreated={refetch} />
      <Dialog open={rotated !== undefined} onOpenChange={() => setRotated(undefined)} title={rotated?.name ?? ''}>
        <p className="mb-3 text-sm">
          {t('Save this token now. It’s shown only once.')} {t('The former key stays valid for a day.')}
        </p>
        <CodeBox label={t('New key')} text={rotated?.token ?? ''} />
      </Dialog>
      <ChangeDialog {...(asked && { asked })} onClose={() => setAsked(undefined)} onConfirm={() => void carryOut()} />
    </>
  )
}

function KeyList({ children }: { children: readonly ReactNode[] }) {
  if (children.length === 0) return <p className="text-sm text-muted">{t('No keys yet')}</p>
  return <ul className="-my-3.5 divide-y divide-line">{children}</ul>
}

type SectionProps = {
  service: Service
  isAdmin: boolean
  onNewKey: () => void
  onDelete: () => void
  children: ReactNode
}

/** A service account with its roles and keys. */
function ServiceSection({ service, isAdmin, onNewKey, onDelete, children }: SectionProps) {
  return (
    <section aria-label={service.name}>
      <div className="flex flex-wrap items-center gap-2">
        <code dir="ltr" className="min-w-0 basis-full text-sm break-all sm:flex-1 sm:basis-0">
          {`service:${service.name}`}
        </code>
        {service.roles.map((role) => (
          <Badge key={role}>{role}</Badge>
        ))}
        {isAdmin && (
          <>
            <Button look="secondary" onClick={onNewKey}>
              {t('New key')}
            </Button>
            <Button look="secondary" onClick={onDelete}>
              {t('Delete')}
            </Button>
          </>
        )}
      </div>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}

/** Asks once more before a key is rotated or revoked, or a service account deleted. */
function ChangeDialog({ asked, onClose, onConfirm }: { asked?: Asked; onClose: () => void; onConfirm: () => void }) {
  const name = asked === undefined ? '' : asked.what === 'delete' ? asked.service.name : asked.key.name
  const isRotation = asked?.what === 'rotate'
  const isDeletion = asked?.what === 'delete'
  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={onClose}
      title={
        isRotation
          ? t('Rotate {name}?', { name })
          : isDeletion
            ? t('Delete {name}?', { name })
            : t('Revoke {name}?', { name })
      }
      description={
        isRotation ? t('The former key stays valid for a day.') : t('Programs that use it immediately lose access.')
      }
      confirm={isRotation ? t('Rotate') : isDeletion ? t('Delete') : t('Revoke')}
      danger={!isRotation}
      onConfirm={onConfirm}
    />
  )
}

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: () => void }

function ServiceDialog({ open, onOpenChange, onCreated }: DialogProps) {
  const act = useAct()
  const { formRef, problem, secondsLeft, errors } = useFormProblem()
  const submit = async ({ name = '', roles = '' }: Record<string, string>) => {
    if (!(await act('createService', { name: name.trim(), roles: readNames(roles) }))) return
    onOpenChange(false)
    onCreated()
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('New service account')}>
      <Form formRef={formRef} onSubmit={(values) => void submit(values)} label={t('New service account')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField
          label={t('Name')}
          name="name"
          dir="ltr"
          maxLength={80}
          required
          hint={t('Never changes: access lists have it as service: and this name.')}
          error={errors.name}
        />
        <TextField label={t('Roles')} name="roles" hint={t('Separated by commas')} error={errors.roles} />
        <Button type="submit">{t('Create')}</Button>
      </Form>
    </Dialog>
  )
}

/** The endpoints that each scope opens. */
function ScopesCard() {
  const scopes = useAsk('listScopes', {})
  return (
    <Card aria-labelledby="scopes">
      <CardHeader id="scopes" title={t('Scopes')} />
      <ReadingStatus reading={scopes} failure={t('The keys could not be loaded')} bare />
      <div className="flex flex-col gap-1">
        {scopes.data?.results.map(({ scope, endpoints, holders }) => (
          <details key={scope}>
            <summary className="cursor-pointer py-1.5">
              <code dir="ltr" className="text-sm">
                {scope}
              </code>{' '}
              <span className="text-xs text-muted">{holders.join(', ')}</span>
            </summary>
            <ul dir="ltr" className="ps-4 pb-2 text-xs text-muted">
              {endpoints.map(({ name, method, path }) => (
                <li key={name} className="break-all">
                  <code>
                    {method} {path}
                  </code>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </Card>
  )
}
