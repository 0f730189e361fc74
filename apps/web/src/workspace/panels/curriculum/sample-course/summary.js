// The same readings in JavaScript: files.read gives the text of a file beside this one.
const lines = (await files.read('readings.csv')).trim().split('\n').slice(1)
const values = lines.map((line) => ((Number(line.split(',')[1]) / 65535) * 3.3 - 0.5) * 100)
const mean = values.reduce((sum, value) => sum + value, 0) / values.length
console.log(`${values.length} readings, mean ${mean.toFixed(1)} degrees`)
