import type { AbiFunction } from 'viem'
import { toFunctionSignature } from 'viem'
import { ValidationError } from '../errors/ValidationError.ts'

/** The function of an ABI, by its name or, where there are several of the name, by `name(type,type)`. */
export function findFunction(abi: unknown, functionName: unknown): AbiFunction {
  if (!Array.isArray(abi)) throw new ValidationError('abi is required', 'Give the ABI of the contract, as an array.')
  if (typeof functionName !== 'string' || functionName === '') throw new ValidationError('functionName is required')
  const all = abi.filter((item): item is AbiFunction => item?.type === 'function' && typeof item.name === 'string')
  const [name = ''] = functionName.split('(')
  const named = all.filter((item) => item.name === name)
  const possible = named.map((item) => toFunctionSignature(item))
  if (named.length === 0) {
    throw new ValidationError('Function does not exist in abi', `The ABI has no function called ${name}.`)
  }
  const options = `Possible functionNames: ${possible.join(', ')}`
  if (functionName.includes('(')) {
    const found = named[possible.indexOf(functionName.replaceAll(/\s/g, ''))]
    if (found) return found
    throw new ValidationError('Function with the provided topic does not exist in abi', options)
  }
  const [only] = named
  if (only && named.length === 1) return only
  const message = 'Multiple function definitions found in the abi. Please include the topic in the functionName'
  throw new ValidationError(message, options)
}
