import type { AbiParameter } from 'viem'
import type { Loose } from '../Loose.ts'
import { BigNumber } from './BigNumber.ts'

/** Contract result in the form of ethers 5: one value, or a list whose named items have keys too. */
export function toEthersAnswer(outputs: readonly AbiParameter[], answer: unknown): Loose {
  const [only] = outputs
  if (only && outputs.length === 1) return toEthersValue(only, answer)
  return toEthersList(outputs, outputs.length === 0 ? [] : (answer as readonly unknown[]))
}

export function toEthersList(parameters: readonly AbiParameter[], values: readonly unknown[]): Loose {
  const list: Loose = parameters.map((parameter, index) => toEthersValue(parameter, values[index]))
  const names = parameters.map(({ name }) => (name === 'length' ? '_length' : name))
  for (const [index, name] of names.entries()) {
    // A name that two share, or that lists have themselves, stands for nothing.
    if (name && !(name in list) && names.indexOf(name) === names.lastIndexOf(name)) list[name] = list[index]
  }
  return Object.freeze(list)
}

function toEthersValue(parameter: AbiParameter, value: unknown): Loose {
  const array = parameter.type.match(/^(.*)\[[0-9]*\]$/)
  if (array && Array.isArray(value)) {
    return Object.freeze(value.map((one) => toEthersValue({ ...parameter, type: array[1] ?? '' }, one)))
  }
  if ('components' in parameter && parameter.type === 'tuple') {
    const { components } = parameter
    const fields = Object(value)
    return toEthersList(
      components,
      components.map(({ name }, index) => (Array.isArray(value) ? value[index] : fields[name ?? ''])),
    )
  }
  return typeof value === 'bigint' ? new BigNumber(value) : value
}
