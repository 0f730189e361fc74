/** Where things are for what runs in the sandbox. */
export const PROJECT_FOLDER = '/work/project'
export const OUTPUT_FOLDER = '/work/out'
export const HOME_FOLDER = '/work/home'
