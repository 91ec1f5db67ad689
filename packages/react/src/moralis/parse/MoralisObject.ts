import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisAcl } from './MoralisAcl.ts'
import type { MoralisRelation } from './MoralisRelation.ts'

export type SaveOptions = { cascadeSave?: boolean; context?: unknown; [option: string]: unknown }

/** An object of a class as the older SDK had it: values are set on it and saved later. */
export interface MoralisObject<T extends Attributes = Attributes> {
  readonly className: string
  id: string
  readonly attributes: T
  createdAt: Date
  updatedAt: Date
  get<Key extends Extract<keyof T, string>>(name: Key): T[Key]
  set(name: string, value: unknown, options?: object): this | false
  set(values: Partial<T> | Attributes, options?: object): this | false
  unset(name: string): this | false
  increment(name: string, amount?: number): this | false
  decrement(name: string, amount?: number): this | false
  add(name: string, item: unknown): this | false
  addAll(name: string, items: readonly unknown[]): this | false
  addUnique(name: string, item: unknown): this | false
  addAllUnique(name: string, items: readonly unknown[]): this | false
  remove(name: string, item: unknown): this | false
  removeAll(name: string, items: readonly unknown[]): this | false
  has(name: string): boolean
  dirty(name?: string): boolean
  dirtyKeys(): string[]
  revert(...names: string[]): void
  isNew(): boolean
  existed(): boolean
  isValid(): boolean
  isDataAvailable(): boolean
  equals(other: unknown): boolean
  clone(): this
  newInstance(): this
  relation(name: string): MoralisRelation
  getACL(): MoralisAcl | undefined
  setACL(acl: MoralisAcl): this | false
  /** What is changed is sent; objects and files in it that are not saved yet go first. */
  save(values?: Partial<T> | Attributes | null, options?: SaveOptions): Promise<this>
  save(name: string, value: unknown, options?: SaveOptions): Promise<this>
  fetch(options?: { include?: string | string[]; [option: string]: unknown }): Promise<this>
  fetchWithInclude(keys: string | string[]): Promise<this>
  exists(): Promise<boolean>
  destroy(options?: object): Promise<this>
  toPointer(): { __type: 'Pointer'; className: string; objectId: string }
  toJSON(): Attributes & { objectId?: string }
  /** Takes in what the server gave; for this package. */
  _read(document: object): this
}

export interface MoralisObjectClass {
  new <T extends Attributes = Attributes>(
    className?: string | ({ className: string } & Attributes),
    values?: Partial<T>,
    options?: object,
  ): MoralisObject<T>
  readonly className?: string
  extend(className: string | { className: string }, methods?: Attributes, statics?: Attributes): Loose
  registerSubclass(className: string, subclass: Loose): void
  createWithoutData<Class extends new (...args: Loose[]) => Loose>(this: Class, id: string): InstanceType<Class>
  fromJSON(json: Attributes): MoralisObject
  saveAll<List extends readonly MoralisObject[]>(list: List, options?: SaveOptions): Promise<List>
  destroyAll<List extends readonly MoralisObject[]>(list: List, options?: object): Promise<List>
  fetchAll<List extends readonly MoralisObject[]>(list: List, options?: object): Promise<List>
}
