import { type AbiFunction, BaseError, encodeFunctionData, type Hex } from 'viem'
import { ValidationError } from '../errors/ValidationError.ts'
import { findFunction } from './findFunction.ts'
import { readArguments } from './readArguments.ts'

/** The function that is meant, and the bytes that call it. */
export function encodeCall(
  abi: unknown,
  functionName: unknown,
  args: unknown,
): { readonly fn: AbiFunction; readonly data: Hex } {
  const fn = findFunction(abi, functionName)
  const values = readArguments(fn, args)
  try {
    return { fn, data: encodeFunctionData({ abi: [fn], args: values }) }
  } catch (error) {
    const reason = error instanceof BaseError ? error.shortMessage : String(error)
    throw new ValidationError(`The arguments of ${fn.name} do not fit`, reason)
  }
}
