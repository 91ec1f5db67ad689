import * as accountRequests from './accountRequests.ts'
import * as signInMethodRequests from './signInMethodRequests.ts'

/** What the actions on an account do, in one piece, so that one request of the browser brings all of it. */
export const accountActions = { ...accountRequests, ...signInMethodRequests }
