const drawnAlike = 'АAВBЕEЗ3ІIЈJКKМMНHОOРPЅSСCТTУYХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX'
const latin = new Map(Array.from(drawnAlike.matchAll(/../gu), ([[own = '', as = ''] = '']) => [own, as]))

/** A name as the eye takes it: without case, accents and gaps, and letters of other scripts as the Latin ones they look like. */
export function skeletonOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    .toUpperCase()
  return Array.from(letters, (letter) => latin.get(letter) ?? letter).join('')
}
