import type { WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { decodeObject, type JsonRow } from '../objects/decodeObject.ts'
import { findClass } from '../objects/findClass.ts'
import type { Delivery } from './claimDelivery.ts'

/** What is sent: the event as JSON, with objects as the master key would read them. */
export async function describeEvent(
  context: Context,
  { event, type, className, body, at }: Pick<Delivery, 'event' | 'type' | 'className' | 'body' | 'at'>,
): Promise<WireFields> {
  const head = { id: event, type, createdAt: at.toISOString() }
  if (className !== null) {
    const schema = await findClass(context, className)
    const read = (row: unknown) => {
      if (!row) return undefined
      // The class may be gone by now; that there was such an object is still worth telling.
      return schema
        ? fillFileUrls(context, schema, decodeObject(schema, row as JsonRow))
        : { objectId: (row as JsonRow).objectId }
    }
    const original = read(body.original)
    return { ...head, className, object: read(body.object) ?? null, ...(original && { original }) }
  }
  if (typeof body.user !== 'string') return { ...head, ...(body as WireFields) }
  const user = { __type: 'Pointer' as const, className: '_User', objectId: body.user }
  return { ...head, user, details: (body.details ?? {}) as WireFields }
}
