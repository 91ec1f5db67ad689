/** A field's value in the application: JSON values, and `Date`. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue | undefined }
