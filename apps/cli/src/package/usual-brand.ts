/** The spelling that archives carry besides the neutral one, unless somebody says otherwise: servers know it by default. */
export const USUAL_BRAND = 'kicad'
