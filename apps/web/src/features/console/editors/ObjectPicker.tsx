import type { WireFields, WireWhere } from '@countersign/protocol'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useAsk } from '../ask.ts'
import { showValue } from '../dataBrowser/dataValues.ts'
import { Picker, UserPicker } from '../users/UserPicker.tsx'

type Props = { className: string; label: string; onPick: (objectId: string) => void }

/** Finds an object of a class by its id, or by how one of its texts begins. */
export function ObjectPicker({ className, label, onPick }: Props) {
  if (className === '_User') return <UserPicker label={label} onPick={({ objectId }) => onPick(objectId)} />
  return <AnyPicker className={className} label={label} onPick={onPick} />
}

function AnyPicker({ className, label, onPick }: Props) {
  const [search, setSearch] = useState('')
  const schema = useAsk('getSchema', { className })
  const texts = Object.entries(schema.data?.fields ?? {})
    .filter(([name, { type }]) => type === 'String' && name !== 'objectId')
    .map(([name]) => name)
    .slice(0, 3)
  const begins = { $regex: `^${search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` }
  const where = { $or: [{ objectId: search }, ...texts.map((name) => ({ [name]: begins }))] } as WireWhere
  const found = useAsk('findObjects', { className, where, limit: 8 }, { enabled: search !== '' && !!schema.data })
  const items = (found.data?.results as WireFields[] | undefined)?.map((row) => {
    const text = texts.map((name) => showValue(row[name])).find((each) => each !== '')
    const objectId = String(row.objectId)
    return { objectId, name: text ?? objectId, fact: text === undefined ? '' : objectId }
  })
  return (
    <Picker
      label={label}
      hint={t('An ID, or the start of a text')}
      onSearch={setSearch}
      found={search === '' ? undefined : found}
      items={items}
      onPick={({ objectId }) => onPick(objectId)}
    />
  )
}
