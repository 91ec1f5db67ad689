import type { FieldRecord, WireValue } from '@countersign/protocol'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { cx } from '../../../ui/cx.ts'
import { inputText, readValue } from '../dataBrowser/dataValues.ts'

/** Types that are edited in their cell; the others have a dialog. */
export const isInline = (type: string, value: WireValue | undefined) =>
  type === 'Number' ||
  type === 'Boolean' ||
  type === 'Date' ||
  (type === 'String' && !(typeof value === 'string' && (value.length > 200 || value.includes('\n'))))

type Props = {
  name: string
  field: FieldRecord
  value: WireValue | undefined
  /** Texts to choose from, besides any other. */
  known: readonly string[]
  onSave: (value: WireValue) => Promise<boolean>
  /** Ends the edit; where the focus goes on from there. */
  onEnd: (to: 'stay' | 'down' | 'next' | 'previous') => void
}

/** A value edited in its cell. Enter saves and goes down, Tab saves and goes on, Esc leaves it as it was. */
export function CellInput({ name, field, value, known, onSave, onEnd }: Props) {
  const [text, setText] = useState(() => inputText(field.type, value))
  const [isWrong, setWrong] = useState(false)
  const listId = useId()
  const isDone = useRef(false)
  const first = useRef(text)

  const end = async (to: Parameters<Props['onEnd']>[0]) => {
    if (isDone.current) return
    if (text === first.current) {
      isDone.current = true
      return onEnd(to)
    }
    const next = readValue(field.type, text)
    if (next === undefined) return setWrong(true)
    isDone.current = true
    if (await onSave(next)) onEnd(to)
    else isDone.current = false
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      isDone.current = true
      onEnd('stay')
    } else if (event.key === 'Enter') void end('down')
    else if (event.key === 'Tab') void end(event.shiftKey ? 'previous' : 'next')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const shared = {
    'aria-label': t('Edit {name}', { name }),
    'aria-invalid': isWrong || undefined,
    title: isWrong ? t('Not a valid value of type {type}.', { type: field.type }) : undefined,
    autoFocus: true,
    value: text,
    onKeyDown: press,
    onBlur: () => void end('stay'),
    className: cx(
      'absolute inset-0 z-20 size-full bg-surface px-2.5 outline-2 -outline-offset-2',
      isWrong ? 'outline-danger' : 'outline-accent',
    ),
  }
  if (field.type === 'Boolean')
    return (
      <select {...shared} onChange={(event) => setText(event.target.value)}>
        <option value="">{t('No value')}</option>
        {['true', 'false'].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    )
  const list = field.type === 'String' ? known : []
  return (
    <>
      <input
        {...shared}
        type={field.type === 'Date' ? 'datetime-local' : 'text'}
        step={field.type === 'Date' ? '0.001' : undefined}
        inputMode={field.type === 'Number' ? 'decimal' : undefined}
        list={list.length > 0 ? listId : undefined}
        dir="auto"
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value)
          setWrong(false)
        }}
      />
      {list.length > 0 && (
        <datalist id={listId}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}
