import { formatUnits } from '../../core/ethers/formatUnits.ts'
import { parseUnits } from '../../core/ethers/parseUnits.ts'
import type { IntegerLike } from '../../core/ethers/readInteger.ts'

/** `Moralis.Units`: amounts between what people write and the smallest unit. */
export const units = {
  ETH: (value: string | number): string => parseUnits(String(value), 18).toString(),
  Token: (value: string | number, decimals: string | number = 18): string =>
    parseUnits(String(value), Number(decimals)).toString(),
  FromWei: (value: IntegerLike, decimals: string | number = 18): string =>
    formatUnits(value, Number(decimals)).replace(/\.0$/, ''),
}
