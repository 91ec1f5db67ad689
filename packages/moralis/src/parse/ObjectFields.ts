import { ValidationError } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import { applyChange } from './applyChange.ts'
import { MoralisAcl } from './MoralisAcl.ts'
import type { MoralisRelation, SaveOptions } from './MoralisObject.ts'
import { unwrapValue } from './wrapValue.ts'

const own = new Set(['objectId', 'createdAt', 'updatedAt', 'className', '__type'])

/** Fields of an object: the values last read and the changes since then. They need no client, so all share them. */
export abstract class ObjectFields {
  className: string
  id: string | undefined
  createdAt: Date | undefined
  updatedAt: Date | undefined
  _isExisting = false
  #base: Attributes = {}
  /** By field, in their order. */
  _changes = new Map<string, readonly Loose[]>()
  #isRead = false

  constructor(given?: string | ({ className: string } & Attributes), values?: Attributes) {
    const { className, ...rest } = typeof given === 'object' ? given : { className: given }
    this.className = className ?? (this.constructor as Loose).className
    for (const [name, value] of Object.entries({ ...rest, ...values })) this.set(name, value)
  }

  abstract relation(name: string): MoralisRelation
  abstract _send(fields: Attributes): Promise<object>

  get attributes(): Attributes {
    const times = { createdAt: this.createdAt, updatedAt: this.updatedAt }
    const known = Object.fromEntries(Object.entries(times).filter(([, value]) => value))
    const changed = Array.from(this._changes, ([name, all]) => [name, all.reduce(applyChange, this.#base[name])])
    const all = Object.entries({ ...known, ...this.#base, ...Object.fromEntries(changed) })
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  }

  get(name: string): Loose {
    if (Object(this.#base[name]).__type === 'Relation') return this.relation(name)
    const value = this.attributes[name]
    return name === 'ACL' && value ? new MoralisAcl(unwrapValue(value) as Attributes) : value
  }

  set(given: string | Attributes, value?: unknown): this {
    const values = typeof given === 'string' ? { [given]: value } : given
    for (const [name, next] of Object.entries(values)) {
      if (name === 'objectId' || name === 'id') this.id = next
      else if (!own.has(name) && next !== undefined) this._change(name, next)
    }
    return this
  }

  _change(name: string, next: Loose): this {
    const before = Object(next).__op ? this._changes.get(name) : undefined
    this._changes.set(name, [...(before ?? []), next])
    return this
  }

  unset(name: string): this {
    return this._change(name, { __op: 'Delete' })
  }

  increment(name: string, amount = 1): this {
    if (typeof amount !== 'number') throw new ValidationError('Cannot increment by a non-numeric amount.')
    return this._change(name, { __op: 'Increment', amount })
  }

  decrement(name: string, amount = 1): this {
    return this.increment(name, -amount)
  }

  add(name: string, item: unknown): this {
    return this.addAll(name, [item])
  }

  addAll(name: string, objects: readonly unknown[]): this {
    return this._change(name, { __op: 'Add', objects })
  }

  addUnique(name: string, item: unknown): this {
    return this.addAllUnique(name, [item])
  }

  addAllUnique(name: string, objects: readonly unknown[]): this {
    return this._change(name, { __op: 'AddUnique', objects })
  }

  remove(name: string, item: unknown): this {
    return this.removeAll(name, [item])
  }

  removeAll(name: string, objects: readonly unknown[]): this {
    return this._change(name, { __op: 'Remove', objects })
  }

  has(name: string): boolean {
    return this.attributes[name] !== undefined
  }

  dirty(name?: string): boolean {
    return name === undefined ? !this.id || this._changes.size > 0 : this._changes.has(name)
  }

  dirtyKeys(): string[] {
    return [...this._changes.keys()]
  }

  revert(...names: string[]): void {
    for (const name of names.length > 0 ? names : this.dirtyKeys()) this._changes.delete(name)
  }

  isNew(): boolean {
    return !this.id
  }

  existed(): boolean {
    return this._isExisting
  }

  isValid(): boolean {
    return true
  }

  isDataAvailable(): boolean {
    return this.#isRead
  }

  equals(other: Loose): boolean {
    return this === other || (!!this.id && this.className === other?.className && this.id === other?.id)
  }

  /** Class of the objects in a relation, if the server gave it. */
  _targetOf(name: string): string | undefined {
    return Object(this.#base[name]).className
  }

  getACL(): MoralisAcl | undefined {
    return this.get('ACL')
  }

  setACL(acl: MoralisAcl): this {
    return this._change('ACL', acl)
  }

  async save(first?: string | Attributes | null, second?: unknown, third?: SaveOptions): Promise<this> {
    if (first) this.set(first, second)
    const { saveObject } = await loadLater()
    return saveObject(this, this.#base, (typeof first === 'string' ? third : second) as SaveOptions | undefined)
  }

  toPointer() {
    if (!this.id) throw new ValidationError('Cannot create a pointer to an unsaved ParseObject', 'Save it first.')
    return { __type: 'Pointer' as const, className: this.className, objectId: this.id }
  }

  toJSON(): Attributes {
    const values = Object.entries(this.attributes).map(([name, value]) => [name, toPlain(value)])
    return { ...Object.fromEntries(values), ...(this.id && { objectId: this.id }) }
  }

  _read({ __type, className: _, objectId, createdAt, updatedAt, ...fields }: Attributes): this {
    if (objectId) this.id = objectId
    if (createdAt) this.createdAt = createdAt
    if (updatedAt) this.updatedAt = updatedAt
    this.#base = { ...this.#base, ...fields }
    this.#isRead ||= __type === 'Object'
    return this
  }
}

function toPlain(value: Loose): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value?.toPointer === 'function' && value.isDataAvailable() ? value.toJSON() : unwrapValue(value)
}
