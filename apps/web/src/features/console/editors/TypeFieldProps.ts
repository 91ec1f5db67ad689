import type { FieldRecord } from '@countersign/protocol'

export type ValueFieldProps = {
  field: FieldRecord
  /** Text of the value, as `inputText` writes and `readValue` reads it. */
  text: string
  onChange: (text: string) => void
  error: string | undefined
}

/** Props of the field of one type. */
export type TypeFieldProps = Omit<ValueFieldProps, 'field'> & { label: string }
