// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/node_usage.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "temp_dir.h"
#include "trainer/usage/gpu_usage.h"

namespace lockstep::trainer {
namespace {

/// A folder in place of /, with what the kernel says in it.
class FakeKernel {
 public:
  void write(const std::string& name, const std::string& text) const {
    const auto path = dir_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  /// Of two ports, in words of four bytes.
  void writePorts(int received, int sent) const {
    for (const char* port : {"mlx5_0/ports/1", "mlx5_1/ports/1"}) {
      const std::string folder = std::string("sys/class/infiniband/") + port + "/counters/";
      write(folder + "port_rcv_data", std::to_string(received) + "\n");
      write(folder + "port_xmit_data", std::to_string(sent) + "\n");
    }
  }
  [[nodiscard]] std::string root() const { return dir_.path().string(); }

 private:
  TempDir dir_;
};

TEST(NodeUsage, IsWhatTheKernelCounts) {
  const FakeKernel kernel;
  kernel.write("proc/stat", "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n");
  kernel.write("proc/meminfo",
               "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    4000 kB\n");
  kernel.write("proc/net/dev", "heads\nheads\n  eth0: 1000 0 0 0 0 0 0 0 500 0 0 0 0 0 0 0\n");
  kernel.writePorts(1000, 2000);
  NodeUsageReader reader("/", kernel.root());
  kernel.write("proc/stat", "cpu  130 0 120 740 110 0 0 0 0 0\n");
  kernel.write("proc/net/dev", "heads\nheads\n  eth0: 3000 0 0 0 0 0 0 0 1500 0 0 0 0 0 0 0\n");
  kernel.writePorts(2000, 2500);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const NodeUsage usage = reader.read();
  ASSERT_TRUE(usage.cpuPercent && usage.memoryPercent && usage.diskPercent);
  EXPECT_DOUBLE_EQ(*usage.cpuPercent, 50) << "50 of 100 ticks: waiting for a disk is idle";
  EXPECT_DOUBLE_EQ(*usage.memoryPercent, 75);
  EXPECT_GT(*usage.diskPercent, 0);
  EXPECT_LE(*usage.diskPercent, 100);
  ASSERT_TRUE(usage.networkInBytesPerSecond && usage.networkOutBytesPerSecond);
  EXPECT_DOUBLE_EQ(*usage.networkInBytesPerSecond / *usage.networkOutBytesPerSecond, 2);
  ASSERT_TRUE(usage.rdmaInBytesPerSecond && usage.rdmaOutBytesPerSecond);
  EXPECT_DOUBLE_EQ(*usage.rdmaInBytesPerSecond / *usage.rdmaOutBytesPerSecond, 2);
  EXPECT_DOUBLE_EQ(*usage.rdmaInBytesPerSecond / *usage.networkInBytesPerSecond, 4)
      << "two ports, words of four bytes";
}

TEST(NodeUsage, WhatIsNotThereIsNotMeasured) {
  const FakeKernel kernel;
  NodeUsageReader reader("/nowhere", kernel.root());
  const NodeUsage usage = reader.read();
  EXPECT_FALSE(usage.cpuPercent);
  EXPECT_FALSE(usage.memoryPercent);
  EXPECT_FALSE(usage.diskPercent);
  EXPECT_FALSE(usage.networkInBytesPerSecond);
  EXPECT_FALSE(usage.rdmaInBytesPerSecond);
}

TEST(NodeUsage, ACounterThatBeganAgainIsNoRate) {
  const FakeKernel kernel;
  kernel.writePorts(1000, 1000);
  NodeUsageReader reader("/", kernel.root());
  kernel.writePorts(5, 2000);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const NodeUsage usage = reader.read();
  EXPECT_FALSE(usage.rdmaInBytesPerSecond);
  EXPECT_TRUE(usage.rdmaOutBytesPerSecond);
}

TEST(NodeUsage, IsReadOfThisMachine) {
  NodeUsageReader reader("/");
  volatile double sink = 0;
  for (int i = 0; i < 30'000'000; ++i) sink = sink + i;
  const NodeUsage usage = reader.read();
  ASSERT_TRUE(usage.memoryPercent && usage.diskPercent);
  EXPECT_GT(*usage.memoryPercent, 0);
  EXPECT_LT(*usage.memoryPercent, 100);
}

TEST(GpuUsage, OfSeveralIsOneNumberEach) {
  std::vector<GpuUsage> gpus(3);
  gpus[0].percent = 90;
  gpus[1].percent = 30;
  gpus[0].memoryBytes = 10;
  gpus[1].memoryBytes = 20;
  gpus[0].powerWatts = 300;
  gpus[0].temperatureCelsius = 60;
  gpus[1].temperatureCelsius = 70;
  gpus[0].lastXid = 0;
  gpus[1].lastXid = 79;
  const GpuUsage all = together(gpus);
  EXPECT_EQ(all.percent, 60);
  EXPECT_EQ(all.memoryBytes, 30);
  EXPECT_EQ(all.powerWatts, 300);
  EXPECT_EQ(all.temperatureCelsius, 70);
  EXPECT_EQ(all.lastXid, 79);
  EXPECT_FALSE(all.eccErrors);
  EXPECT_FALSE(together({}).percent);
}

}  // namespace
}  // namespace lockstep::trainer
