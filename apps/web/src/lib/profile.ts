export type FieldType = 'text' | 'number' | 'boolean' | 'date'

/** A field of the application's own, as the form holds it: every value is text until it is saved. */
export type ProfileField = { key: string; name: string; type: FieldType; value: string; isNew: boolean }

/** A field whose kind the form cannot edit (lists, places, files …): shown as it is. */
export type FixedField = { name: string; text: string }

export type Profile = { username: string; email: string; fields: ProfileField[]; fixed: FixedField[] }
