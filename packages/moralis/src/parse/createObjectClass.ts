import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import { createRelation } from './createRelation.ts'
import type { MoralisObject, MoralisObjectClass, SaveOptions } from './MoralisObject.ts'
import { ObjectFields } from './ObjectFields.ts'
import type { ParseKit } from './ParseKit.ts'
import { requireKept } from './requireKept.ts'
import { wrapValue } from './wrapValue.ts'

/** `Moralis.Object` of a client. Classes of the older SDK are made with `new` and extended, so this is one. */
export function createObjectClass(kit: ParseKit): MoralisObjectClass {
  class ParseObject extends ObjectFields {
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
      return createRelation(kit, this as unknown as MoralisObject, name, this._targetOf(name))
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

    /** Saves on the device, and on the server as soon as it can be reached. */
    async saveEventually(...input: Loose[]): Promise<this> {
      requireKept(kit.client, this.className)
      return (this as Loose).save(...input)
    }

    async destroyEventually(): Promise<this> {
      requireKept(kit.client, this.className)
      return this.destroy()
    }

    override _read(document: Attributes): this {
      const fields = Object.entries(document).map(([name, value]) => [name, wrapValue(kit, value)])
      return super._read(Object.fromEntries(fields))
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

  // All documents of a class are on the device already.
  for (const name of ['pin', 'unPin'])
    Object.defineProperty(ParseObject.prototype, name, {
      async value(this: ParseObject) {
        requireKept(kit.client, this.className)
      },
    })
  for (const name of ['pinAll', 'unPinAll'])
    Object.defineProperty(ParseObject, name, {
      async value(list: readonly MoralisObject[]) {
        for (const { className } of list) requireKept(kit.client, className)
      },
    })
  for (const name of ['saveAll', 'destroyAll', 'fetchAll'] as const) {
    const value = async (list: readonly MoralisObject[], options?: SaveOptions) => {
      await (await loadLater())[name](list, options)
      return list
    }
    Object.defineProperty(ParseObject, name, { value })
  }

  return ParseObject as unknown as MoralisObjectClass
}
