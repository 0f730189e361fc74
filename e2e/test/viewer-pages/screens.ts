import sharp from 'sharp'

const draw = async (svg: string) => await sharp(Buffer.from(svg)).png().toBuffer()

/** A trace with a ripple on it, as an oscilloscope on a large screen shows it. */
export async function oscilloscope(): Promise<Buffer> {
  const [width, height] = [2560, 1440]
  const grid = [
    ...Array.from({ length: 21 }, (_, index) => `M${index * 128} 0V${height}`),
    ...Array.from({ length: 13 }, (_, index) => `M0 ${index * 120}H${width}`),
  ].join('')
  const ripple = Array.from({ length: 641 }, (_, index) => {
    const y = 620 + 90 * Math.sin(index / 12) + 26 * Math.sin(index / 2.1) * Math.exp(-((index % 75) / 20))
    return `${index * 4},${y.toFixed(1)}`
  }).join(' ')
  const square = Array.from(
    { length: 9 },
    (_, index) =>
      `${index === 0 ? 'M0' : 'H'} ${index === 0 ? 1180 : index * 320} V${index % 2 === 0 ? 1180 : 1020}`,
  ).join(' ')
  return await draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#0b1216"/><path d="${grid}" stroke="#20313a" stroke-width="2"/>
    <polyline points="${ripple}" fill="none" stroke="#ffd23f" stroke-width="6"/>
    <path d="${square}" fill="none" stroke="#3fd2ff" stroke-width="6"/>
    <g font-family="monospace" font-size="46"><text x="40" y="80" fill="#ffd23f">CH1 50 mV/div  AC</text>
    <text x="700" y="80" fill="#3fd2ff">CH2 2 V/div  DC</text><text x="2010" y="80" fill="#9fb4bd">5 us/div  Run</text></g></svg>`)
}

/** The outline of a small round board, with its parts. */
export async function boardDrawing(): Promise<Buffer> {
  const lights = Array.from({ length: 12 }, (_, index) => {
    const angle = (index * Math.PI) / 6
    const [x, y] = [600 + 290 * Math.cos(angle), 400 + 290 * Math.sin(angle)]
    return `<rect x="${x - 22}" y="${y - 22}" width="44" height="44" rx="6" fill="#fff7d6" stroke="#d9a400" stroke-width="4" transform="rotate(${index * 30} ${x} ${y})"/>`
  }).join('')
  return await draw(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
    <rect width="100%" height="100%" fill="#10231a"/><circle cx="600" cy="400" r="360" fill="#14532d" stroke="#86efac" stroke-width="5"/>
    <path d="M600 400L890 400M600 400L310 400M600 400L600 110M600 400L600 690M600 400L805 195" stroke="#d97706" stroke-width="7"/>
    <rect x="520" y="320" width="160" height="160" rx="10" fill="#1f2937" stroke="#9ca3af" stroke-width="4"/>
    <text x="600" y="412" fill="#e5e7eb" font-family="monospace" font-size="34" text-anchor="middle">U1</text>${lights}
    <text x="40" y="760" fill="#bbf7d0" font-family="monospace" font-size="34">night-lamp rev C</text></svg>`)
}

/** The last lines of a build that went wrong. */
export async function buildLog(): Promise<Buffer> {
  const lines = [
    ['#9ca3af', '$ make night-lamp'],
    ['#e5e7eb', 'CC   src/main.c'],
    ['#e5e7eb', 'CC   src/dimmer.c'],
    ['#fca5a5', 'src/dimmer.c:42:7: error: "PWM_TOP" undeclared'],
    ['#e5e7eb', '   42 |   if (level &gt; PWM_TOP) level = PWM_TOP;'],
    ['#fca5a5', 'make: *** [dimmer.o] Error 1'],
  ].map(([color, text], index) => `<text x="36" y="${72 + index * 54}" fill="${color}">${text}</text>`)
  return await draw(`<svg xmlns="http://www.w3.org/2000/svg" width="1180" height="400">
    <rect width="100%" height="100%" fill="#111827"/><g font-family="monospace" font-size="30">${lines.join('')}</g></svg>`)
}

/** A warm part on a cold board, with the noise that such cameras have. */
export async function thermalPicture(): Promise<Buffer> {
  const [width, height] = [640, 480]
  const pixels = Buffer.alloc(width * height * 3)
  for (let place = 0; place < width * height; place += 1) {
    const [x, y] = [place % width, Math.floor(place / width)]
    const noise = ((place * 7919) % 31) / 31
    const heat = Math.exp(-((x - 380) ** 2 + (y - 200) ** 2) / 14_000) + 0.08 * noise
    pixels[place * 3] = Math.min(255, 30 + 420 * heat)
    pixels[place * 3 + 1] = Math.max(0, Math.min(255, 380 * (heat - 0.35)))
    pixels[place * 3 + 2] = Math.max(20, 140 - 260 * Math.abs(heat - 0.35))
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
