import { z } from 'zod'

/** A text with a maximum, which is part of every contract: nothing is normalised, hashed or looked up beyond it. */
export const text = (longest: number) => z.string().max(longest)

export const objectId = text(100).min(1)
export const instant = z.iso.datetime()
export const wireDate = z.object({ __type: z.literal('Date'), iso: z.iso.datetime() })
export const wirePointer = z.object({ __type: z.literal('Pointer'), className: z.string(), objectId: z.string() })
export const nothing = z.object({})
/** An object of the application's own fields. */
export const fields = z.looseObject({})
/** The one part of most paths. */
export const byId = z.object({ objectId })
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item) })
