import type { Profile } from './profile.ts'
import { reservedFields } from './reservedFields.ts'
import { say } from './say.ts'

/** Sentences for what cannot be sent, by the name of the input; empty when all is well. */
export function checkProfile(draft: Profile): Record<string, string> {
  const errors: Record<string, string> = {}
  if (!draft.username.trim()) errors.username = say('A user name is needed.')
  if (draft.email && !/^[^\s@]+@[^\s@]+$/.test(draft.email)) errors.email = say('This is not an e-mail address.')
  const seen = new Set(draft.fixed.map(({ name }) => name))
  for (const { key, name, type, value, isNew } of draft.fields) {
    if (isNew && !/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      errors[`${key}.name`] = say('Start with a letter; then letters, digits and _ only.')
    else if (isNew && reservedFields.has(name)) errors[`${key}.name`] = say('This name is taken by the account itself.')
    else if (seen.has(name)) errors[`${key}.name`] = say('There is a field of this name already.')
    seen.add(name)
    if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value))))
      errors[`${key}.value`] = say('A number, please.')
    if (type === 'date' && Number.isNaN(Date.parse(value))) errors[`${key}.value`] = say('A date, please.')
  }
  return errors
}
