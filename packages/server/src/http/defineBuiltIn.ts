import type { z } from 'zod'
import { answerFunction } from './answerFunction.ts'
import type { Endpoint } from './Endpoint.ts'
import { parseInput } from './parseInput.ts'
import type { Body } from './readBody.ts'

type Parts = Pick<Endpoint, 'summary' | 'handle'> &
  Partial<Pick<Endpoint, 'name' | 'describedInput' | 'spellings'>> & { input?: z.ZodObject }

/** A function that the older clients call on their own. A session that has ended must not keep them from starting. */
export const defineBuiltIn = (name: string, { input: schema, ...parts }: Parts): Endpoint => ({
  name,
  method: 'POST',
  path: `/functions/${name}`,
  session: 'tolerated',
  spellings: [name],
  ...(schema && { describedInput: schema }),
  ...parts,
  // An application may have a function of that name, and then it is that which its clients mean, with any input.
  handle: ({ context, caller, input, params, dispatch, sent }) =>
    context.registry.functions.has(name)
      ? answerFunction(context, caller, name, input)
      : parts.handle({ context, caller, input: parseInput(schema, input) as Body, params, dispatch, sent }),
})
