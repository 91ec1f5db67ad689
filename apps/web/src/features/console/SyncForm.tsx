import type { ChainStatusRecord, SyncRecord, WireFields } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { SelectField, TextField } from '../../ui/forms/Field.tsx'
import { ask } from './ask.ts'
import { readObject } from './jsonSchema.ts'
import { JsonField } from './SchemaForm.tsx'
import { useFormChange } from './useChange.ts'

type Props = { chains: ChainStatusRecord[]; sync?: SyncRecord; onClose: () => void; onSaved: () => void }

/** Form of an event sync: the fields that each has, and the rest as JSON. A sync of the same name is replaced. */
export function SyncForm({ chains, sync, onClose, onSaved }: Props) {
  const { class: ofClass, event, contracts, startBlock, name, ...rest } = sync?.definition ?? {}
  const [chain, setChain] = useState(String(sync?.chain ?? chains[0]?.chain))
  const [text, setText] = useState(Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '{}')
  const { pending, problem, setProblem, send } = useFormChange()
  const submit = async (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault()
    const form = new FormData(submitted.currentTarget)
    const read = (field: string) => String(form.get(field) ?? '').trim()
    let more: WireFields
    try {
      more = readObject(text) as WireFields
    } catch {
      return setProblem(t('Not a valid value of type {type}.', { type: 'object' }))
    }
    const given = read('contracts')
      .split(/[\s,]+/)
      .filter(Boolean)
    const made = await send(() =>
      ask('createSync', {
        ...more,
        ...(read('name') && { name: read('name') }),
        class: read('class'),
        event: read('event'),
        ...(given.length > 0 && { contracts: given }),
        ...(read('startBlock') && { startBlock: Number(read('startBlock')) }),
        chain: Number(chain),
      }),
    )
    if (!made) return
    toasts.add(sync ? t('Event sync saved') : t('Event sync started'), 'ok')
    onSaved()
    onClose()
  }
  return (
    <Dialog open onOpenChange={onClose} title={sync ? t('Edit event sync') : t('Sync an event')} isWide>
      <form onSubmit={(submitted) => void submit(submitted)} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('Chain')}
            value={chain}
            disabled={sync !== undefined}
            options={chains.map((each) => [String(each.chain), `${each.name} (${each.chain})`] as const)}
            onChange={setChain}
          />
          <TextField
            label={t('Name')}
            name="name"
            dir="ltr"
            defaultValue={write(name) || sync?.name}
            readOnly={sync !== undefined}
            maxLength={100}
          />
        </div>
        <TextField label={t('Class')} name="class" dir="ltr" defaultValue={write(ofClass)} required maxLength={200} />
        <TextField
          label={t('Event')}
          name="event"
          dir="ltr"
          defaultValue={write(event)}
          placeholder={exampleEvent}
          required
          maxLength={2000}
        />
        <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
          <TextField
            label={t('Contract addresses')}
            name="contracts"
            dir="ltr"
            defaultValue={Array.isArray(contracts) ? contracts.join(', ') : write(contracts)}
            placeholder="0x…"
            maxLength={10_000}
          />
          <TextField
            label={t('First block')}
            name="startBlock"
            dir="ltr"
            inputMode="numeric"
            pattern="\d{1,15}"
            defaultValue={write(startBlock)}
            maxLength={15}
          />
        </div>
        <JsonField label={t('More options as JSON')} text={text} rows={4} onChange={setText} />
        {problem && <Alert tone="danger">{problem}</Alert>}
        <div>
          <Button type="submit" pending={pending}>
            {sync ? t('Save') : t('Start sync')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const write = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const exampleEvent = 'event Sold(uint256 indexed id, address buyer)'
