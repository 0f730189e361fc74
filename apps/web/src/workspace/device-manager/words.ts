export const words = {
  addBench: 'Add a simulated bench',
  alsoBench: 'devices simulate demo hardware try development',
  benchAdded: (devices: number) => `${devices} simulated devices are connected`,
}
