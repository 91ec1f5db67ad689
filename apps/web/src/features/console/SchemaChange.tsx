import type { SchemaRecord, WireFields, WireValue } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { SelectField, TextField } from '../../ui/forms/Field.tsx'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'
import { ask, type Output, useAct } from './ask.ts'
import { CodeBox } from './CodeBox.tsx'
import { readValue } from './dataBrowser/dataValues.ts'
import type { SuggestedIndex } from './SlowQueries.tsx'

const types = [
  'String',
  'Number',
  'Boolean',
  'Date',
  'Object',
  'Array',
  'GeoPoint',
  'Polygon',
  'File',
  'Bytes',
  'Pointer',
  'Relation',
]
const kept = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL'])

type Kind = 'createClass' | 'addField' | 'deleteField' | 'addIndex' | 'deleteIndex' | 'deleteClass'
type Draft = {
  kind: Kind
  className: string
  name: string
  type: string
  targetClass: string
  isRequired: boolean
  defaultValue: string
  keys: string
  isUnique: boolean
}
/** A change as the schema API takes it. */
type Change = { className: string; fields?: WireFields; indexes?: WireFields; drop?: boolean }

type Props = {
  schema?: SchemaRecord
  /** One to add, to begin with. */
  index?: SuggestedIndex
  classNames: readonly string[]
  onDone: () => void
  onClose: () => void
}

/** Form for a change to a class, or a new one, with a preview before it is applied. */
export function SchemaChange({ schema, index, classNames, onDone, onClose }: Props) {
  const act = useAct()
  const [draft, setDraft] = useState<Draft>({
    kind: index ? 'addIndex' : schema ? 'addField' : 'createClass',
    className: schema?.className ?? '',
    name: index?.name ?? '',
    type: 'String',
    targetClass: '_User',
    isRequired: false,
    defaultValue: '',
    keys: index ? writeKeys(index.fields) : '',
    isUnique: false,
  })
  const [preview, setPreview] = useState<{ change: Change } & Output<'previewSchema'>>()
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  const set = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next })
    setPreview(undefined)
  }
  const look = async (event: FormEvent) => {
    event.preventDefault()
    const change = toChange(draft)
    if (!change) return setFault(t('Not a valid value of type {type}.', { type: draft.type }))
    setPending(true)
    try {
      setPreview({ change, ...(await ask('previewSchema', change)) })
      setFault(undefined)
    } catch (error) {
      setFault(describeError(error as CountersignError).message)
    }
    setPending(false)
  }
  const apply = async ({ className, fields, indexes }: Change) => {
    setPending(true)
    const input = { className, ...(fields && { fields }), ...(indexes && { indexes }) }
    const done = await (draft.kind === 'deleteClass'
      ? act('deleteSchema', { className })
      : draft.kind === 'createClass'
        ? act('createSchema', input as never)
        : act('updateSchema', input))
    setPending(false)
    if (!done) return
    toasts.add(t('Schema changed'), 'ok')
    onDone()
    onClose()
  }
  return (
    <Dialog open onOpenChange={onClose} title={schema ? t('Edit {name}', { name: schema.className }) : t('New class')}>
      <form noValidate onSubmit={(event) => void look(event)} className="flex flex-col gap-4">
        {schema && (
          <SelectField
            label={t('Action')}
            value={draft.kind}
            options={[
              ['addField', t('Add field')],
              ['deleteField', t('Delete field')],
              ['addIndex', t('Add index')],
              ['deleteIndex', t('Delete index')],
              ['deleteClass', t('Delete class')],
            ]}
            onChange={(kind) => set({ kind: kind as Kind, name: '' })}
          />
        )}
        <Fields draft={draft} schema={schema} classNames={classNames} onChange={set} />
        {fault && <Alert tone="danger" title={fault} />}
        <div>
          <Button type="submit" look={preview ? 'secondary' : 'primary'} pending={pending && !preview}>
            {t('Preview')}
          </Button>
        </div>
        {preview && <Plan preview={preview} pending={pending} onApply={() => void apply(preview.change)} />}
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  draft: Draft
  schema: SchemaRecord | undefined
  classNames: readonly string[]
  onChange: (next: Partial<Draft>) => void
}

function Fields({ draft, schema, classNames, onChange }: FieldsProps) {
  const { kind, className, name, type, targetClass, isRequired, defaultValue, keys, isUnique } = draft
  if (kind === 'createClass')
    return (
      <TextField
        label={t('Name')}
        dir="ltr"
        value={className}
        maxLength={63}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ className: event.target.value })}
      />
    )
  if (kind === 'deleteClass')
    return <p className="text-sm text-muted">{t('You can only delete a class without objects.')}</p>
  if (kind === 'deleteField' || kind === 'deleteIndex') {
    const named = Object.keys((kind === 'deleteField' ? schema?.fields : schema?.indexes) ?? {})
    return (
      <SelectField
        label={kind === 'deleteField' ? t('Field') : t('Index|database')}
        value={name}
        options={[
          ['', t('Not set')],
          ...named.filter((each) => kind === 'deleteIndex' || !kept.has(each)).map((each) => [each, each] as const),
        ]}
        onChange={(next) => onChange({ name: next })}
      />
    )
  }
  const nameField = (
    <TextField
      label={t('Name')}
      dir="ltr"
      value={name}
      maxLength={63}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange({ name: event.target.value })}
    />
  )
  if (kind === 'addIndex')
    return (
      <>
        {nameField}
        <TextField
          label={t('Fields')}
          hint={t('Field names separated by commas. A minus sorts in descending order.')}
          dir="ltr"
          value={keys}
          maxLength={1_000}
          placeholder={example}
          autoCapitalize="none"
          onChange={(event) => onChange({ keys: event.target.value })}
        />
        <SwitchField label={t('Unique')} checked={isUnique} onChange={(next) => onChange({ isUnique: next })} />
      </>
    )
  return (
    <>
      {nameField}
      <SelectField
        label={t('Type')}
        value={type}
        options={types.map((each) => [each, each] as const)}
        onChange={(next) => onChange({ type: next })}
      />
      {leads(type) && (
        <SelectField
          label={t('Target class')}
          value={targetClass}
          options={classNames.map((each) => [each, each] as const)}
          onChange={(next) => onChange({ targetClass: next })}
        />
      )}
      {type !== 'Relation' && (
        <>
          <TextField
            label={t('Default value')}
            value={defaultValue}
            maxLength={10_000}
            onChange={(event) => onChange({ defaultValue: event.target.value })}
          />
          <SwitchField label={t('Required')} checked={isRequired} onChange={(next) => onChange({ isRequired: next })} />
        </>
      )}
    </>
  )
}

const example = 'title, -createdAt'
const leads = (type: string) => type === 'Pointer' || type === 'Relation'

type PlanProps = { preview: Output<'previewSchema'>; pending: boolean; onApply: () => void }

function Plan({ preview: { plan, file }, pending, onApply }: PlanProps) {
  const isLoss = plan.some(({ drops }) => drops)
  return (
    <section aria-label={t('Preview')} className="flex flex-col gap-3">
      {plan.length === 0 && <p className="text-sm text-muted">{t('No changes')}</p>}
      <ul lang="en" dir="ltr" className="text-sm">
        {plan.map(({ text, drops }) => (
          <li key={text} className={drops ? 'font-semibold text-danger' : undefined}>
            {drops ? '!' : '+'} {text}
          </li>
        ))}
      </ul>
      <CodeBox label={t('Schema file')} text={file} />
      {isLoss && <Alert tone="warn" title={t('This deletes data permanently.')} />}
      <div>
        <Button look={isLoss ? 'danger' : 'primary'} pending={pending} disabled={plan.length === 0} onClick={onApply}>
          {t('Apply')}
        </Button>
      </div>
    </section>
  )
}

/** `undefined` if the default does not fit the type. */
function toChange(draft: Draft): Change | undefined {
  const { kind, className, name, type, targetClass, isRequired, defaultValue, keys, isUnique } = draft
  switch (kind) {
    case 'createClass':
      return { className: className.trim() }
    case 'deleteClass':
      return { className, drop: true }
    case 'deleteField':
      return { className, fields: { [name]: { __op: 'Delete' } } }
    case 'deleteIndex':
      return { className, indexes: { [name]: { __op: 'Delete' } } }
    case 'addIndex':
      return { className, indexes: { [name.trim()]: { ...readKeys(keys), ...(isUnique && { unique: true }) } } }
    case 'addField': {
      const given = type === 'Relation' || defaultValue === '' ? undefined : readValue(type, defaultValue, targetClass)
      if (defaultValue !== '' && type !== 'Relation' && given === undefined) return undefined
      const field: WireFields = {
        type,
        ...(leads(type) && { targetClass }),
        ...(isRequired && type !== 'Relation' && { required: true }),
        ...(given !== undefined && { defaultValue: given as WireValue }),
      }
      return { className, fields: { [name.trim()]: field } }
    }
  }
}

function readKeys(text: string): WireFields {
  const names = text.split(',').map((each) => each.trim())
  return Object.fromEntries(
    names.filter(Boolean).map((each) => {
      const search = /^(\S+)\s+text$/.exec(each)
      if (search) return [search[1], 'text']
      return each.startsWith('-') ? [each.slice(1).trim(), -1] : [each, 1]
    }),
  )
}

/** As `readKeys` reads it: `title, -createdAt`, or `title text` for search. */
function writeKeys(fields: SuggestedIndex['fields']): string {
  return Object.entries(fields)
    .map(([name, direction]) => (direction === 'text' ? `${name} text` : direction === 1 ? name : `-${name}`))
    .join(', ')
}
