import type { FieldRecord, WireValue } from '@countersign/protocol'
import { X } from 'lucide-react'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { readValue } from '../dataBrowser/dataValues.ts'
import { type NamePointer, usePointerNames } from '../dataBrowser/usePointerNames.ts'
import { RolePicker } from '../users/RolePicker.tsx'
import { UserPicker } from '../users/UserPicker.tsx'
import type { TypeFieldProps } from './TypeFieldProps.ts'

type Rights = { read?: true; write?: true }
type Entries = readonly (readonly [subject: string, rights: Rights])[]

const user: { [name: string]: FieldRecord } = { user: { type: 'Pointer', targetClass: '_User' } }

/** Entries of an access list, one row each. */
export function AclField({ text, onChange, error }: TypeFieldProps) {
  const entries = readAcl(text)
  const people = entries
    .map(([subject]) => subject)
    .filter((subject) => subject !== '*' && !subject.startsWith('role:'))
  const namePointer = usePointerNames(
    user,
    people.map((objectId) => ({ user: { __type: 'Pointer', className: '_User', objectId } as WireValue })),
  )
  const write = (next: Entries) => onChange(JSON.stringify(Object.fromEntries(next)))
  const change = (subject: string, right: keyof Rights, isOn: boolean) =>
    write(
      entries.map(([each, { [right]: _, ...rest }]) =>
        each === subject ? [each, isOn ? { ...rest, [right]: true } : rest] : entryOf(entries, each),
      ),
    )
  const add = (subject: string) => {
    if (!entries.some(([each]) => each === subject)) write([...entries, [subject, { read: true }]])
  }
  return (
    <div className="flex flex-col gap-5">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            <th className="py-2 text-start font-semibold">{t('Who')}</th>
            <th className="w-20 py-2 text-center font-semibold">{t('Read')}</th>
            <th className="w-20 py-2 text-center font-semibold">{t('Write')}</th>
            <th className="w-11">
              <span className="sr-only">{t('Remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(([subject, rights]) => {
            const name = nameSubject(subject, namePointer)
            return (
              <tr key={subject} className="border-b border-line">
                <th scope="row" className="text-start font-semibold wrap-anywhere">
                  <bdi>{name}</bdi>
                </th>
                {(['read', 'write'] as const).map((right) => (
                  <td key={right} className="text-center">
                    <label className="inline-grid size-11 place-items-center">
                      <input
                        type="checkbox"
                        aria-label={right === 'read' ? t('{name} can read', { name }) : t('{name} can write', { name })}
                        checked={rights[right] === true}
                        onChange={(event) => change(subject, right, event.target.checked)}
                        className="size-5"
                      />
                    </label>
                  </td>
                ))}
                <td>
                  <IconButton
                    label={t('Remove {name}', { name })}
                    onClick={() => write(entries.filter(([each]) => each !== subject))}
                  >
                    <X size={18} aria-hidden="true" />
                  </IconButton>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {entries.length === 0 && <p className="text-sm text-muted">{t('Master key only')}</p>}
      {error && <p className="text-sm text-danger">{error}</p>}
      {!entries.some(([subject]) => subject === '*') && (
        <Button look="secondary" className="self-start" onClick={() => add('*')}>
          {t('Add everyone')}
        </Button>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <UserPicker label={t('Find a user')} onPick={({ objectId }) => add(objectId)} />
        <RolePicker onPick={(_id, name) => add(`role:${name}`)} />
      </div>
    </div>
  )
}

const entryOf = (entries: Entries, subject: string) =>
  entries.find(([each]) => each === subject) ?? ([subject, {}] as const)

function readAcl(text: string): Entries {
  const value = Object(readValue('ACL', text)) as Record<string, unknown>
  if ('__op' in value) return []
  return Object.entries(value).map(([subject, rights]) => {
    const { read, write } = Object(rights) as Record<string, unknown>
    return [subject, { ...(read === true && { read }), ...(write === true && { write }) }] as const
  })
}

function nameSubject(subject: string, namePointer: NamePointer): string {
  if (subject === '*') return t('Everyone')
  if (subject.startsWith('role:')) return t('Role {name}', { name: subject.slice(5) })
  return namePointer('_User', subject) ?? subject
}
