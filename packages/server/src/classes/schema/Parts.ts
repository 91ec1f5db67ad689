import type { Config } from '../../config/Config.ts'
import type { Database } from '../../db/Database.ts'
import type { Classes } from '../createClasses.ts'

/** What the schema API works with: a part of the context, which stands to the right of this room. */
export type Parts = { db: Database; classes: Classes; config: Pick<Config, 'allowCustomObjectId'> }

/** What the id of a user looks like. Where clients choose their own, it may be anything without a colon. */
export function userIdPattern({ allowCustomObjectId }: Parts['config']): RegExp {
  return allowCustomObjectId ? /^[^:*\s]+$/ : /^[A-Za-z0-9]{10}$/
}
