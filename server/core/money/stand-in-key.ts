/** The key that the stand-in of a practice instance takes (`npm run stand-in`). */
export const standInKey = 'rk_test_standinforpractice'
