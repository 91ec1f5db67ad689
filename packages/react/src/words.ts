export { createPhrasing } from './components/createPhrasing.ts'
export { directionOf } from './components/directionOf.ts'
export type { Language } from './components/languages.ts'
export type { ValuesIn, WordValue } from './components/SheetWords.ts'
