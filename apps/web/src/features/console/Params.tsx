import type { WireValue } from '@countersign/protocol'
import { Plus, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { SelectField, TextField } from '../../ui/forms/Field.tsx'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useAsk, useConsole } from './ask.ts'
import { readValue, showValue, textOf } from './dataBrowser/dataValues.ts'
import { useChange } from './useChange.ts'

const types = ['String', 'Number', 'Boolean', 'Date', 'Object', 'Array', 'GeoPoint', 'File'] as const
type Type = (typeof types)[number]

type Param = { name: string; value: WireValue; isMasterOnly: boolean }

/** Parameters that the operator keeps for the application's clients (Parse.Config). */
export function Params() {
  const isAdmin = useConsole().role === 'admin'
  const config = useAsk('getConfig', {})
  const [edited, setEdited] = useState<Param | 'new'>()
  const params = Object.entries(config.data?.params ?? {}).map(([name, value]) => ({
    name,
    value,
    isMasterOnly: config.data?.masterKeyOnly?.[name] === true,
  }))
  return (
    <>
      <PageHeader
        title={t('Config')}
        aside={
          isAdmin && (
            <Button onClick={() => setEdited('new')}>
              <Plus size={18} aria-hidden="true" />
              {t('Add parameter')}
            </Button>
          )
        }
      >
        {t('Parameters that all clients can read.')}
      </PageHeader>
      <ReadingStatus reading={config} failure={t('The parameters could not be loaded')} />
      {config.data && (
        <Card>
          <ul aria-label={t('Config')} className="-my-3 divide-y divide-line">
            {params.map((param) => (
              <li key={param.name} className="flex items-center gap-3 py-3">
                <div className="min-w-0 flex-1">
                  <div className="flex flex-wrap items-center gap-2">
                    <h2 className="text-base wrap-anywhere">{param.name}</h2>
                    <Badge>{typeOf(param.value)}</Badge>
                    {param.isMasterOnly && <Badge tone="warn">{t('Master key only')}</Badge>}
                  </div>
                  <p className="text-sm text-muted wrap-anywhere">
                    <bdi>{showValue(param.value)}</bdi>
                  </p>
                </div>
                {isAdmin && (
                  <Button
                    look="secondary"
                    aria-label={t('Edit {name}', { name: param.name })}
                    onClick={() => setEdited(param)}
                  >
                    {t('Edit')}
                  </Button>
                )}
              </li>
            ))}
            {params.length === 0 && (
              <li>
                <EmptyState icon={SlidersHorizontal} title={t('No parameters')} />
              </li>
            )}
          </ul>
        </Card>
      )}
      {edited && (
        <ParamEditor
          param={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={config.refetch}
        />
      )}
    </>
  )
}

function typeOf(value: WireValue): Type {
  if (Array.isArray(value)) return 'Array'
  if (typeof value === 'string') return 'String'
  if (typeof value === 'number') return 'Number'
  if (typeof value === 'boolean') return 'Boolean'
  const type = Reflect.get(Object(value), '__type')
  return types.find((each) => each === type) ?? 'Object'
}

type EditorProps = { param: Param | undefined; onClose: () => void; onDone: () => void }

function ParamEditor({ param, onClose, onDone }: EditorProps) {
  const [type, setType] = useState<Type>(param ? typeOf(param.value) : 'String')
  const [name, setName] = useState(param?.name ?? '')
  const [text, setText] = useState(param ? textOf(type, param.value) : '')
  const [isMasterOnly, setMasterOnly] = useState(param?.isMasterOnly ?? false)
  const [error, setError] = useState<string>()
  const { pending, change } = useChange()
  const [isAsking, setAsking] = useState(false)
  const send = async (value: WireValue) => {
    const isGone = typeof value === 'object' && value !== null && Reflect.get(value, '__op') === 'Delete'
    const input = { params: { [name]: value }, ...(!isGone && { masterKeyOnly: { [name]: isMasterOnly } }) }
    const saved = await change('updateConfig', input, isGone ? t('Parameter deleted') : t('Saved'))
    setAsking(false)
    if (!saved) return
    onDone()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (pending || name === '') return
    const value = type !== 'String' && text.trim() === '' ? undefined : readValue(type, text)
    if (value === undefined) return setError(t('Not a valid value of type {type}.', { type }))
    void send(value)
  }
  return (
    <Dialog open onOpenChange={onClose} title={param ? param.name : t('Add parameter')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {!param && (
          <TextField
            label={t('Name')}
            value={name}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setName(event.target.value.trim())}
          />
        )}
        <SelectField
          label={t('Type')}
          value={type}
          options={types.map((each) => [each, each] as const)}
          onChange={(next) => setType(next as Type)}
        />
        <TextField
          label={t('Value')}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          {...(error && { error })}
        />
        <SwitchField label={t('Master key only')} checked={isMasterOnly} onChange={setMasterOnly} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          {param && (
            <Button look="danger-quiet" onClick={() => setAsking(true)}>
              {t('Delete')}
            </Button>
          )}
          <Button type="submit" pending={pending}>
            {t('Save')}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('Delete {name}?', { name })}
        description={t('Clients can no longer read this parameter.')}
        confirm={t('Delete permanently')}
        danger
        pending={pending}
        onConfirm={() => void send({ __op: 'Delete' })}
      />
    </Dialog>
  )
}
