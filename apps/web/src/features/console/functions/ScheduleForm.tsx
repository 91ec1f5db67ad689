import type { ConsoleScheduleRecord, ObjectRecord } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { ask, useAsk } from '../ask.ts'
import { fromLocalInput, toLocalInput } from '../dataBrowser/dataValues.ts'
import { JsonField } from '../editors/JsonField.tsx'
import { useFormChange } from '../useChange.ts'

type Props = { jobName: string; schedule?: ConsoleScheduleRecord; onClose: () => void; onSaved: () => void }

/** Form of a schedule. A known one is read again: the list leaves out its parameters. */
export function ScheduleForm({ jobName, schedule, onClose, onSaved }: Props) {
  const objectId = schedule?.objectId
  const known = useAsk(
    'getObject',
    { className: '_JobSchedule', objectId: objectId ?? '' },
    { enabled: objectId !== undefined },
  )
  const shared = { jobName, onClose, onSaved }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={objectId === undefined ? t('New schedule') : t('Edit schedule')}
      description={jobName}
    >
      {objectId === undefined ? (
        <Fields {...shared} />
      ) : known.data ? (
        <Fields {...shared} known={known.data} />
      ) : (
        <ReadingStatus reading={known} failure={t('The schedule could not be loaded')} bare />
      )}
    </Dialog>
  )
}

const kinds = ['cron', 'interval'] as const
type Kind = (typeof kinds)[number]

type Values = {
  kind: Kind
  cron: string
  timeZone: string
  startAfter: string
  repeatMinutes: string
  description: string
  params: string
}

type FieldsProps = Omit<Props, 'schedule'> & { known?: ObjectRecord }

function Fields({ jobName, known, onClose, onSaved }: FieldsProps) {
  const [first] = useState(() => readValues(known))
  const [values, setValues] = useState(first)
  const { pending, problem, send } = useFormChange()
  const set = (change: Partial<Values>) => setValues({ ...values, ...change })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const before = writeFields(first)
    const after = writeFields(values)
    // Only what was changed: a change by somebody else in the meantime is kept.
    const changed = Object.fromEntries(
      Object.entries(after).filter(([name, value]) => value !== before[name as keyof typeof before]),
    )
    const given = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null))
    const saved = await send(() =>
      known
        ? ask('updateSchedule', { objectId: known.objectId, ...changed })
        : ask('createSchedule', { jobName, ...given }),
    )
    if (!saved) return
    toasts.add(known ? t('Schedule saved') : t('Schedule created'), 'ok')
    onSaved()
    onClose()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <SelectField
        label={t('Timing')}
        value={values.kind}
        options={[
          ['cron', t('By a cron expression')],
          ['interval', t('From a time on')],
        ]}
        onChange={(kind) => set({ kind: kinds.find((each) => each === kind) ?? 'cron' })}
      />
      {values.kind === 'cron' ? <CronFields values={values} set={set} /> : <TimeFields values={values} set={set} />}
      <TextField
        label={t('Description')}
        value={values.description}
        onChange={(event) => set({ description: event.target.value })}
        maxLength={1000}
      />
      <JsonField
        label={t('Parameters')}
        text={values.params}
        onChange={(params) => set({ params })}
        error={undefined}
        isList={false}
        rows={4}
      />
      {problem && <Alert tone="danger">{problem}</Alert>}
      <Button type="submit" pending={pending} className="self-start">
        {known ? t('Save') : t('Create')}
      </Button>
    </form>
  )
}

type PartProps = { values: Values; set: (change: Partial<Values>) => void }

const cronLabel = 'Cron'
const examples = { cron: '0 3 * * 1-5', timeZone: 'UTC' }

function CronFields({ values, set }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={cronLabel}
        dir="ltr"
        value={values.cron}
        onChange={(event) => set({ cron: event.target.value })}
        placeholder={examples.cron}
        required
        maxLength={200}
      />
      <TextField
        label={t('Time zone')}
        dir="ltr"
        value={values.timeZone}
        onChange={(event) => set({ timeZone: event.target.value })}
        placeholder={examples.timeZone}
        maxLength={100}
      />
    </div>
  )
}

function TimeFields({ values, set }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t('First run')}
        type="datetime-local"
        step="any"
        dir="ltr"
        value={values.startAfter}
        onChange={(event) => set({ startAfter: event.target.value })}
        required
      />
      <TextField
        label={t('Minutes between runs')}
        type="number"
        min={1}
        max={10_000_000}
        dir="ltr"
        value={values.repeatMinutes}
        onChange={(event) => set({ repeatMinutes: event.target.value })}
        hint={t('Empty: runs once')}
      />
    </div>
  )
}

const readText = (value: unknown) => (typeof value === 'string' ? value : '')

function readValues(known: ObjectRecord | undefined): Values {
  const { cron, timeZone, startAfter, repeatMinutes, description, params }: Partial<ObjectRecord> = known ?? {}
  return {
    kind: known && typeof cron !== 'string' ? 'interval' : 'cron',
    cron: readText(cron),
    timeZone: readText(timeZone),
    startAfter: toLocalInput(readText(startAfter)),
    repeatMinutes: typeof repeatMinutes === 'number' ? String(repeatMinutes) : '',
    description: readText(description),
    params: format(readText(params)),
  }
}

/** Parameters are kept as text, which may be no JSON: it is shown as it is. */
function format(text: string): string {
  try {
    return text === '' ? '' : JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** The fields as the server takes them: null clears one. */
function writeFields({ kind, ...values }: Values) {
  const isCron = kind === 'cron'
  return {
    cron: isCron ? values.cron.trim() || null : null,
    timeZone: isCron ? values.timeZone.trim() || null : null,
    startAfter: isCron ? null : fromLocalInput(values.startAfter) || null,
    repeatMinutes: isCron || values.repeatMinutes === '' ? null : Number(values.repeatMinutes),
    description: values.description.trim() || null,
    params: values.params.trim() || null,
  }
}
