import { ValidationError } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import { applyChange } from './applyChange.ts'
import { createRelation } from './createRelation.ts'
import { MoralisAcl } from './MoralisAcl.ts'
import type { MoralisObject, MoralisObjectClass, SaveOptions } from './MoralisObject.ts'
import type { ParseKit } from './ParseKit.ts'
import { unwrapValue, wrapValue } from './wrapValue.ts'

const own = new Set(['objectId', 'createdAt', 'updatedAt', 'className', '__type'])

/** `Moralis.Object` of a client. Classes of the older SDK are made with `new` and extended, so this is one. */
export function createObjectClass(kit: ParseKit): MoralisObjectClass {
  class ParseObject {
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

    clone(): this {
      const { createdAt: _, updatedAt: __, ...values } = this.attributes
      return kit.create(this.className).set(values) as unknown as this
    }

    newInstance(): this {
      const copy = this.clone()
      copy.id = this.id
      return copy
    }

    relation(name: string) {
      return createRelation(kit, this as unknown as MoralisObject, name, Object(this.#base[name]).className)
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

    async _send(fields: Attributes): Promise<object> {
      const { sendObject } = await loadLater()
      return sendObject(kit.client, this, fields)
    }

    async fetch({ include }: { include?: string | string[] } = {}): Promise<this> {
      const { fetchObject } = await loadLater()
      return this._read(await fetchObject(kit.client, this, include))
    }

    fetchWithInclude(include: string | string[]): Promise<this> {
      return this.fetch({ include })
    }

    async exists(): Promise<boolean> {
      return (await loadLater()).existsObject(kit.client, this)
    }

    async destroy(): Promise<this> {
      const { destroyObject } = await loadLater()
      if (this.id) await destroyObject(kit.client, this)
      return this
    }

    toPointer() {
      if (!this.id) throw new ValidationError('Cannot create a pointer to an unsaved ParseObject', 'Save it first.')
      return { __type: 'Pointer' as const, className: this.className, objectId: this.id }
    }

    toJSON(): Attributes {
      const values = Object.entries(this.attributes).map(([name, value]) => [name, toPlain(value)])
      return { ...Object.fromEntries(values), ...(this.id && { objectId: this.id }) }
    }

    _read(document: object): this {
      const { __type, className: _, objectId, createdAt, updatedAt, ...fields }: Attributes = document
      if (objectId) this.id = objectId
      if (createdAt) this.createdAt = createdAt
      if (updatedAt) this.updatedAt = updatedAt
      this.#base = { ...this.#base, ...wrapFields(fields) }
      this.#isRead ||= __type === 'Object'
      return this
    }

    static className: string | undefined

    static extend(given: string | { className: string }, methods: Attributes = {}, statics: Attributes = {}): Loose {
      const className = typeof given === 'string' ? given : given.className
      const known = kit.classes.get(className)
      // Applications extend in components, on every render.
      if (known && Object.keys({ ...methods, ...statics }).length === 0) return known
      // biome-ignore lint/complexity/noThisInStatic: whichever class it is called on is extended
      const Base = known ?? this
      const Extended = class extends Base {
        constructor(...args: Loose[]) {
          super(...(typeof args[0] === 'string' ? args : [className, ...args]))
          if (new.target === Extended) this.initialize?.(...args)
        }
      }
      Object.defineProperties(Extended.prototype, Object.getOwnPropertyDescriptors(methods))
      Object.assign(Extended, statics, { className })
      kit.classes.set(className, Extended)
      return Extended
    }

    static registerSubclass(className: string, subclass: Loose): void {
      if (typeof subclass !== 'function') throw new TypeError('You must register the subclass constructor.')
      subclass.className ??= className
      kit.classes.set(className, subclass)
    }

    static createWithoutData(id: string): Loose {
      // biome-ignore lint/complexity/noThisInStatic: an object of whichever class it is called on
      const object = new (this as Loose)()
      object.id = id
      return object
    }

    static fromJSON({ className, ...fields }: Attributes): Loose {
      const times = ['createdAt', 'updatedAt'].flatMap((name) => (fields[name] ? [[name, new Date(fields[name])]] : []))
      return kit.create(className)._read({ __type: 'Object', ...fields, ...Object.fromEntries(times) })
    }
  }

  for (const name of ['saveAll', 'destroyAll', 'fetchAll'] as const) {
    const value = async (list: readonly MoralisObject[], options?: SaveOptions) => {
      await (await loadLater())[name](list, options)
      return list
    }
    Object.defineProperty(ParseObject, name, { value })
  }

  function wrapFields(fields: Attributes): Attributes {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, wrapValue(kit, value)]))
  }

  return ParseObject as unknown as MoralisObjectClass
}

function toPlain(value: Loose): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value?.toPointer === 'function' && value.isDataAvailable() ? value.toJSON() : unwrapValue(value)
}
