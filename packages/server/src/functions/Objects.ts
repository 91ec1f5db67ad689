import type { WireOperation } from '@countersign/protocol'

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

export type CodeFields = { [field: string]: CodeValue | WireOperation | CodeObject }

type AnyFields = { [field: string]: unknown }

/** An object as it was read. Where it is a value of another object, it stands for a pointer to it. */
export type CodeObject<Fields extends object = AnyFields> = Fields & {
  __type: 'Object'
  className: string
  objectId: string
  createdAt: Date
  updatedAt: Date
}

export type ObjectQuery = {
  where?: { [field: string]: unknown }
  /** The most important first; `-` before a name turns its order round. */
  order?: readonly string[]
  limit?: number
  skip?: number
  include?: readonly string[]
  keys?: readonly string[]
  excludeKeys?: readonly string[]
}

/** Reads and writes documents with the rights of someone. In a hook it joins the transaction of the write. */
export type Objects = {
  find<Fields extends object = AnyFields>(className: string, query?: ObjectQuery): Promise<CodeObject<Fields>[]>
  first<Fields extends object = AnyFields>(
    className: string,
    query?: ObjectQuery,
  ): Promise<CodeObject<Fields> | undefined>
  count(className: string, query?: Pick<ObjectQuery, 'where'>): Promise<number>
  /** The object, or error 101. */
  get<Fields extends object = AnyFields>(
    className: string,
    objectId: string,
    selection?: Pick<ObjectQuery, 'include' | 'keys' | 'excludeKeys'>,
  ): Promise<CodeObject<Fields>>
  /** Answers its id and time, and fields that the server filled in. */
  create(className: string, fields: CodeFields): Promise<CodeObject>
  /** Fields to set, or operations such as `{ __op: 'Increment', amount: 1 }`. Answers what operations led to. */
  update(className: string, objectId: string, changes: CodeFields): Promise<AnyFields & { updatedAt: Date }>
  delete(className: string, objectId: string): Promise<void>
}
