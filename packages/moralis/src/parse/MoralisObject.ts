import type { Attributes, Loose } from '../Loose.ts'
import type { MoralisAcl } from './MoralisAcl.ts'
import type { MoralisGeoPoint } from './MoralisGeoPoint.ts'

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
  /** Sends the changes; unsaved documents and files in it are saved first. */
  save(values?: Partial<T> | Attributes | null, options?: SaveOptions): Promise<this>
  save(name: string, value: unknown, options?: SaveOptions): Promise<this>
  fetch(options?: { include?: string | string[]; [option: string]: unknown }): Promise<this>
  fetchWithInclude(keys: string | string[]): Promise<this>
  exists(): Promise<boolean>
  destroy(options?: object): Promise<this>
  /** Saves on the device, and on the server as soon as it can be reached. Needs a client with `offline`. */
  saveEventually(values?: Partial<T> | Attributes | null, options?: SaveOptions): Promise<this>
  destroyEventually(options?: object): Promise<this>
  /** Does nothing: the device keeps all documents of the classes of `offline`. Rejects for others. */
  pin(): Promise<void>
  unPin(): Promise<void>
  toPointer(): { __type: 'Pointer'; className: string; objectId: string }
  toJSON(): Attributes & { objectId?: string }
  /** Applies the server's data; for this package. */
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
  pinAll(list: readonly MoralisObject[]): Promise<void>
  unPinAll(list: readonly MoralisObject[]): Promise<void>
}

/** Objects that belong to another. Additions and removals are sent when the owner is saved. */
export type MoralisRelation = {
  readonly parent: MoralisObject
  readonly key: string
  add(objects: MoralisObject | readonly MoralisObject[]): MoralisObject
  remove(objects: MoralisObject | readonly MoralisObject[]): void
  query(): MoralisQuery
  toJSON(): object
}

type Point = MoralisGeoPoint | { latitude: number; longitude: number } | readonly [number, number]
type Each<T> = (object: T) => PromiseLike<void> | void

/** Result of `subscribe`: an emitter of `create`, `update`, `enter`, `leave`, `delete`, `open`, `close`, `error`. */
export type MoralisSubscription<T = MoralisObject> = {
  on(event: string, listener: (object: T, original?: Loose) => void): MoralisSubscription<T>
  off(event: string, listener: (object: T, original?: Loose) => void): MoralisSubscription<T>
  unsubscribe(): Promise<void>
}

export interface MoralisQuery<T extends MoralisObject = MoralisObject> {
  readonly className: string
  equalTo(key: string, value: unknown): this
  equalTo(values: object): this
  notEqualTo(key: string, value: unknown): this
  lessThan(key: string, value: unknown): this
  lessThanOrEqualTo(key: string, value: unknown): this
  greaterThan(key: string, value: unknown): this
  greaterThanOrEqualTo(key: string, value: unknown): this
  containedIn(key: string, values: readonly unknown[]): this
  notContainedIn(key: string, values: readonly unknown[]): this
  containedBy(key: string, values: readonly unknown[]): this
  containsAll(key: string, values: readonly unknown[]): this
  containsAllStartingWith(key: string, values: readonly string[]): this
  exists(key: string): this
  doesNotExist(key: string): this
  matches(key: string, pattern: RegExp | string, modifiers?: string): this
  startsWith(key: string, text: string): this
  endsWith(key: string, text: string): this
  contains(key: string, text: string): this
  fullText(key: string, term: string, options?: object): this
  sortByTextScore(): this
  matchesQuery(key: string, query: MoralisQuery<Loose>): this
  doesNotMatchQuery(key: string, query: MoralisQuery<Loose>): this
  matchesKeyInQuery(key: string, queryKey: string, query: MoralisQuery<Loose>): this
  doesNotMatchKeyInQuery(key: string, queryKey: string, query: MoralisQuery<Loose>): this
  near(key: string, point: Point): this
  withinRadians(key: string, point: Point, distance: number, sorted?: boolean): this
  withinMiles(key: string, point: Point, distance: number, sorted?: boolean): this
  withinKilometers(key: string, point: Point, distance: number, sorted?: boolean): this
  withinGeoBox(key: string, southwest: Point, northeast: Point): this
  withinPolygon(key: string, points: readonly Point[]): this
  polygonContains(key: string, point: Point): this
  ascending(...keys: (string | readonly string[])[]): this
  addAscending(...keys: (string | readonly string[])[]): this
  descending(...keys: (string | readonly string[])[]): this
  addDescending(...keys: (string | readonly string[])[]): this
  include(...keys: (string | readonly string[])[]): this
  includeAll(): this
  select(...keys: (string | readonly string[])[]): this
  exclude(...keys: (string | readonly string[])[]): this
  limit(count: number): this
  skip(count: number): this
  withCount(count?: boolean): this
  /** Reads the documents on the device, also without a network. Needs a client with `offline`. */
  fromLocalDatastore(): this
  /** An array; with `withCount`, `{ results, count }`. */
  find(options?: object): Promise<T[]>
  findAll(options?: object): Promise<T[]>
  first(options?: object): Promise<T | undefined>
  get(objectId: string, options?: object): Promise<T>
  count(options?: object): Promise<number>
  each(callback: Each<T>, options?: object): Promise<void>
  map<Result>(callback: (object: T, index: number, query: this) => Result | PromiseLike<Result>): Promise<Result[]>
  filter(callback: (object: T, index: number, query: this) => boolean | PromiseLike<boolean>): Promise<T[]>
  reduce<Result>(callback: (before: Result, object: T, index: number) => Loose, initial: Result): Promise<Result>
  subscribe(): Promise<MoralisSubscription<T>>
  withJSON(json: object): this
  toJSON(): Loose
}

export interface MoralisQueryClass {
  new <T extends MoralisObject = MoralisObject>(
    target: string | MoralisObject | MoralisObjectClass | Loose,
  ): MoralisQuery<T>
  or<T extends MoralisObject>(...queries: MoralisQuery<T>[]): MoralisQuery<T>
  and<T extends MoralisObject>(...queries: MoralisQuery<T>[]): MoralisQuery<T>
  nor<T extends MoralisObject>(...queries: MoralisQuery<T>[]): MoralisQuery<T>
  fromJSON(className: string, json: object): MoralisQuery
}
