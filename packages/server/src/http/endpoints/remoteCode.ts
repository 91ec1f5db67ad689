import type { WireFields } from '@countersign/protocol'
import { z } from 'zod'
import type { Context } from '../../context/Context.ts'
import {
  createRemote,
  deleteRemote,
  getRemote,
  listRemotes,
  type RemoteName,
  updateRemote,
} from '../../webhooks/older/saveRemote.ts'
import type { Endpoint } from '../Endpoint.ts'

type Change = (context: Context, name: RemoteName, input: WireFields) => Promise<object>

/** The same calls for functions, which have a name, and for hooks, which have a class and a name. */
const define = (
  name: string,
  method: Endpoint['method'],
  path: string,
  summary: string,
  carryOut: Change,
  input?: z.ZodType,
): Endpoint => ({
  name,
  method,
  path,
  summary: `${summary} Master key.`,
  access: 'master',
  ...(input && { describedInput: input }),
  handle: ({ context, input: body, params }) =>
    carryOut(context, { ...nameIn(body as WireFields), ...params }, body as WireFields),
})

function nameIn({ functionName, className, triggerName }: WireFields): RemoteName {
  return {
    ...(functionName !== undefined && { functionName }),
    ...(className !== undefined && { className }),
    ...(triggerName !== undefined && { triggerName }),
  }
}

const place = z.object({ url: z.string() })
const one = '/hooks/functions/:functionName'
const oneTrigger = '/hooks/triggers/:className/:triggerName'

export const remoteCodeEndpoints: Endpoint[] = [
  define('listRemoteFunctions', 'GET', '/hooks/functions', 'Functions that run elsewhere.', (context) =>
    listRemotes(context, 'functions'),
  ),
  define(
    'createRemoteFunction',
    'POST',
    '/hooks/functions',
    'Have a function run elsewhere.',
    createRemote,
    place.extend({ functionName: z.string() }),
  ),
  define('getRemoteFunction', 'GET', one, 'Where a function runs.', getRemote),
  define('updateRemoteFunction', 'PUT', one, 'Change where a function runs.', updateRemote, place),
  define('deleteRemoteFunction', 'DELETE', one, 'No longer have a function run elsewhere.', deleteRemote),
  define('listRemoteHooks', 'GET', '/hooks/triggers', 'Hooks that run elsewhere.', (context) =>
    listRemotes(context, 'triggers'),
  ),
  define(
    'createRemoteHook',
    'POST',
    '/hooks/triggers',
    'Have a hook run elsewhere.',
    createRemote,
    place.extend({ className: z.string(), triggerName: z.string() }),
  ),
  define('listRemoteHooksOfClass', 'GET', '/hooks/triggers/:className', 'Hooks of a class.', (context, { className }) =>
    listRemotes(context, 'triggers', String(className)),
  ),
  define('getRemoteHook', 'GET', oneTrigger, 'Where a hook runs.', getRemote),
  define('updateRemoteHook', 'PUT', oneTrigger, 'Change where a hook runs.', updateRemote, place),
  define('deleteRemoteHook', 'DELETE', oneTrigger, 'No longer have a hook run elsewhere.', deleteRemote),
]
