type AnyFields = { [field: string]: unknown }

/** An object as it was read. Where it is a value of another object, it stands for a pointer to it. */
export type CodeObject<Fields extends object = AnyFields> = Fields & {
  __type: 'Object'
  className: string
  objectId: string
  createdAt: Date
  updatedAt: Date
}

/** A value as code sees it: dates as `Date`, everything else as on the wire. */
export type CodeValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | CodeValue[]
  | { [name: string]: CodeValue }
