/** A field's value as the application sees it: what JSON can say, and `Date`. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue | undefined }
